package import PushCore

/// How much Google takes (facts/fcm.md §4, documented): of a project, and for one device. Each limit is a bucket that
/// runs empty evenly, as the minutes of the real one have no fixed beginning.
package struct FCMQuotas: Sendable {
    private struct Bucket: Sendable {
        var level = 0.0
        var since: Timestamp

        /// Milliseconds until there is room for one more.
        func wait(_ limit: Limit) -> Int64 {
            Int64(((level + 1 - Double(limit.count)) * Double(limit.milliseconds) / Double(limit.count)).rounded(.up))
        }

        /// False where it is full.
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
    }

    private static let perProject = Limit(count: 600_000, milliseconds: 60_000)
    private static let perDevice = [
        Limit(count: 240, milliseconds: 60_000), Limit(count: 5_000, milliseconds: 3_600_000),
    ]
    private static let subscriptions = Limit(count: 3_000, milliseconds: 1_000)
    /// Messages that replace each other: 20 at once, then one in three minutes.
    private static let collapsible = Limit(count: 20, milliseconds: 20 * 180_000)
    private static let mostProjects = 10_000

    private var projects: [String: Bucket] = [:]
    private var subscribers: [String: Bucket] = [:]
    private var collapsing: [Int: Bucket] = [:]
    /// By a device's place, so never more than there are devices.
    private var devices: [Int: [Bucket]] = [:]

    package init() {}

    /// One more request of a project. False where it has sent too many.
    package mutating func take(from project: String, at now: Timestamp) -> Bool {
        Self.take(project, from: &projects, Self.perProject, at: now)
    }

    /// One more change of a topic. False where a project has made too many.
    package mutating func subscribe(by project: String, at now: Timestamp) -> Bool {
        Self.take(project, from: &subscribers, Self.subscriptions, at: now)
    }

    /// One more message for a device that may replace another. Nil: it goes at once; else when there is room for it.
    package mutating func delay(of place: Int, at now: Timestamp) -> Timestamp? {
        var bucket = collapsing[place] ?? Bucket(since: now)
        defer { collapsing[place] = bucket }
        return bucket.add(Self.collapsible, at: now) ? nil : now + bucket.wait(Self.collapsible)
    }

    private static func take(_ name: String, from buckets: inout [String: Bucket], _ limit: Limit, at now: Timestamp)
        -> Bool
    {
        if buckets.count >= mostProjects, buckets[name] == nil { buckets = [:] }
        return buckets[name, default: Bucket(since: now)].add(limit, at: now)
    }

    /// Another device has this place from now on.
    package mutating func forget(_ place: Int) {
        collapsing[place] = nil
        devices[place] = nil
    }

    /// One more message for a device. False where it gets too many.
    package mutating func take(for place: Int, at now: Timestamp) -> Bool {
        var buckets = devices[place] ?? Self.perDevice.map { _ in Bucket(since: now) }
        var hasRoom = true
        for (index, limit) in Self.perDevice.enumerated() where !buckets[index].add(limit, at: now) { hasRoom = false }
        devices[place] = buckets
        return hasRoom
    }
}
