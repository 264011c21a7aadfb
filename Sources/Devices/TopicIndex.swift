package import PushCore

/// The topic subscriptions of all devices. A topic belongs to a project. A device without a project gets the messages
/// to its topics from every project.
package struct TopicIndex: Sendable {
    package struct TopicKey: Sendable, Hashable, Comparable {
        package let project: String?
        package let topic: String

        package static func < (one: TopicKey, other: TopicKey) -> Bool {
            (one.topic, one.project ?? "") < (other.topic, other.project ?? "")
        }
    }

    /// The topics that have subscribers, by name.
    package private(set) var keys = SortedKeys<TopicKey>()
    private var topics: [TopicKey: DeviceSet] = [:]
    private var count = 0

    /// These limits bound the memory use (ours).
    private static let subscriptionLimit = 1_000_000
    private static let topicLimit = 100_000

    /// Whether there is room for one more subscription.
    func hasRoom(for key: TopicKey) -> Bool {
        count < Self.subscriptionLimit && (topics[key] != nil || topics.count < Self.topicLimit)
    }

    mutating func insert(_ slot: Int, to key: TopicKey) {
        if topics[key] == nil { keys.insert(key) }
        topics[key, default: DeviceSet()].insert(slot)
        count += 1
    }

    mutating func remove(_ slot: Int, from key: TopicKey) {
        topics[key]?.remove(slot)
        count -= 1
        guard topics[key]?.isEmpty == true else { return }
        topics[key] = nil
        keys.remove(key)
    }

    /// The number of devices that are subscribed.
    package func count(of key: TopicKey) -> Int { topics[key]?.count ?? 0 }

    /// The devices that a message of this project to this topic reaches.
    func subscribers(of topic: String, in project: String) -> DeviceSet {
        let own = topics[TopicKey(project: project, topic: topic)] ?? DeviceSet()
        guard let others = topics[TopicKey(project: nil, topic: topic)] else { return own }
        return own.union(others)
    }
}

/// Subscriptions of devices to topics.
extension DeviceRegistry {
    package enum SubscribeResult: Sendable, Equatable {
        case subscribed
        /// The device was already subscribed.
        case alreadySubscribed(since: Timestamp)
        /// The device has reached its limit of topics (docs/evidence/fcm.md §4, documented).
        case deviceLimit
        /// There is no room for another subscription or topic in the gateway.
        case gatewayLimit
    }

    /// The maximum number of topics per device.
    package static let topicLimit = 2000

    /// Subscribes a device to a topic.
    package mutating func subscribe(_ slot: Int, to topic: String, at now: Timestamp) -> SubscribeResult {
        if let since = devices[slot].topics[topic] { return .alreadySubscribed(since: since) }
        guard devices[slot].topics.count < Self.topicLimit else { return .deviceLimit }
        let key = TopicIndex.TopicKey(project: devices[slot].project, topic: topic)
        guard topics.hasRoom(for: key) else { return .gatewayLimit }
        topics.insert(slot, to: key)
        devices[slot].topics[topic] = now
        return .subscribed
    }

    /// False if it was not subscribed.
    package mutating func unsubscribe(_ slot: Int, from topic: String) -> Bool {
        guard devices[slot].topics.removeValue(forKey: topic) != nil else { return false }
        topics.remove(slot, from: TopicIndex.TopicKey(project: devices[slot].project, topic: topic))
        return true
    }

    mutating func unsubscribeAll(_ slot: Int) {
        for topic in devices[slot].topics.keys { _ = unsubscribe(slot, from: topic) }
    }

    package func subscribers(of topic: String, in project: String) -> DeviceSet {
        topics.subscribers(of: topic, in: project)
    }

    /// All devices that a message of this project could reach.
    package func reachableDevices(in project: String) -> DeviceSet {
        DeviceSet(
            devices.indices.lazy.filter { [devices] slot in
                !devices[slot].fcmToken.isEmpty && (devices[slot].project ?? project) == project
                    && devices[slot].unregisteredSince == nil
            })
    }
}
