package import PushCore

/// Google's quotas for each project and each device (docs/evidence/fcm.md §4, documented).
///
/// Each quota is a leaky bucket: it drains at a constant rate instead of at the start of each minute, because it is
/// unknown when a minute of the real service starts.
package struct FCMQuotas: Sendable {
    private struct Bucket: Sendable {
        var level = 0.0
        var since: Timestamp

        /// The milliseconds until the bucket has room for one more.
        func wait(_ limit: Limit) -> Int64 {
            Int64(((level + 1 - Double(limit.count)) * Double(limit.milliseconds) / Double(limit.count)).rounded(.up))
        }

        /// Adds one and returns true, or returns false if the bucket is full.
        mutating func add(_ limit: Limit, at now: Timestamp) -> Bool {
            let passed = Double(max(0, now.milliseconds - since.milliseconds))
            level = max(0, level - passed * Double(limit.count) / Double(limit.milliseconds))
            since = now
            guard level + 1 <= Double(limit.count) else { return false }
            level += 1
            return true
        }
    }

    private struct Limit: Sendable {
        let count: Int
        let milliseconds: Int64
        /// In words; empty for limits that no text mentions.
        var text = ""
    }

    private static let perProject = Limit(count: 600_000, milliseconds: 60_000)
    private static let perDevice = [
        Limit(count: 240, milliseconds: 60_000, text: "240 messages in a minute"),
        Limit(count: 5_000, milliseconds: 3_600_000, text: "5,000 messages in an hour"),
    ]
    private static let subscriptions = Limit(count: 3_000, milliseconds: 1_000)
    /// Collapsible messages: 20 at once, then one every three minutes.
    private static let collapsible = Limit(count: 20, milliseconds: 20 * 180_000)
    /// When a dictionary of projects and their buckets has this many buckets, it is emptied.
    private static let maximumProjects = 10_000

    private var projects: [String: Bucket] = [:]
    private var topicChanges: [String: Bucket] = [:]
    private var collapsing: [Int: Bucket] = [:]
    /// By the index of the device, so there are never more buckets than devices.
    private var devices: [Int: [Bucket]] = [:]

    package init() {}

    /// Counts a request of a project; false if the project is over its quota.
    package mutating func take(from project: String, at now: Timestamp) -> Bool {
        Self.take(project, from: &projects, Self.perProject, at: now)
    }

    /// Counts a topic subscription or unsubscription of a project; false if the project is over its quota.
    package mutating func takeTopicChange(from project: String, at now: Timestamp) -> Bool {
        Self.take(project, from: &topicChanges, Self.subscriptions, at: now)
    }

    /// Counts a collapsible message for a device. Nil if it can be sent at once, else the time at which it can.
    package mutating func takeCollapsible(for slot: Int, at now: Timestamp) -> Timestamp? {
        var bucket = collapsing[slot] ?? Bucket(since: now)
        defer { collapsing[slot] = bucket }
        return bucket.add(Self.collapsible, at: now) ? nil : now + bucket.wait(Self.collapsible)
    }

    private static func take(_ name: String, from buckets: inout [String: Bucket], _ limit: Limit, at now: Timestamp)
        -> Bool
    {
        if buckets.count >= maximumProjects, buckets[name] == nil { buckets = [:] }
        return buckets[name, default: Bucket(since: now)].add(limit, at: now)
    }

    /// Clears the quotas of a device index when it is reused for another device.
    package mutating func forget(_ slot: Int) {
        collapsing[slot] = nil
        devices[slot] = nil
    }

    /// Counts a message for a device; false if the device is over its quota.
    package mutating func take(for slot: Int, at now: Timestamp) -> Bool {
        var buckets = devices[slot] ?? Self.perDevice.map { _ in Bucket(since: now) }
        var hasRoom = true
        for (index, limit) in Self.perDevice.enumerated() where !buckets[index].add(limit, at: now) { hasRoom = false }
        devices[slot] = buckets
        return hasRoom
    }

    /// Which quota a device is over and how long to wait, for the log; nil if it is over none.
    package func excess(of slot: Int) -> String? {
        let waits = zip(devices[slot] ?? [], Self.perDevice).map { ($0.wait($1), $1.text) }
        guard let (wait, text) = waits.max(by: { $0.0 < $1.0 }), wait > 0 else { return nil }
        return "the device gets more than \(text); wait \(DurationText.readable(UInt64(wait))) (--quotas real)"
    }
}
