package import PushCore

/// Who is subscribed to what. Topics are a project's own; devices without a project hear those of all (design,
/// "Projects").
struct TopicIndex: Sendable {
    struct TopicKey: Sendable, Hashable {
        let project: String?
        let topic: String
    }

    private var topics: [TopicKey: PlaceSet] = [:]
    private var count = 0

    /// Ours: what may be held in memory.
    private static let subscriptionLimit = 1_000_000
    private static let topicLimit = 100_000

    /// Whether there is room for one more.
    func hasRoom(for key: TopicKey) -> Bool {
        count < Self.subscriptionLimit && (topics[key] != nil || topics.count < Self.topicLimit)
    }

    mutating func insert(_ place: Int, to key: TopicKey) {
        topics[key, default: PlaceSet()].insert(place)
        count += 1
    }

    mutating func remove(_ place: Int, from key: TopicKey) {
        topics[key]?.remove(place)
        count -= 1
        if topics[key]?.isEmpty == true { topics[key] = nil }
    }

    /// All of them, by name, with how many are subscribed.
    var list: [(name: String, project: String?, devices: Int)] {
        topics.map { (name: $0.key.topic, project: $0.key.project, devices: $0.value.count) }
            .sorted { ($0.name, $0.project ?? "") < ($1.name, $1.project ?? "") }
    }

    /// Whom a message of this project reaches.
    func subscribers(of topic: String, in project: String) -> PlaceSet {
        let own = topics[TopicKey(project: project, topic: topic)] ?? PlaceSet()
        guard let others = topics[TopicKey(project: nil, topic: topic)] else { return own }
        return own.union(others)
    }
}

/// Topics and the devices that are subscribed to them.
extension DeviceRegistry {
    package enum Subscribing: Sendable, Equatable {
        case made
        case there(since: Timestamp)
        /// The device has as many as it may have (facts/fcm.md §4, documented).
        case tooMany
        /// All together have.
        case full
    }

    package static let topicLimit = 2000

    /// A device begins to hear a topic.
    package mutating func subscribe(_ place: Int, to topic: String, at now: Timestamp) -> Subscribing {
        if let since = devices[place].topics[topic] { return .there(since: since) }
        guard devices[place].topics.count < Self.topicLimit else { return .tooMany }
        let key = TopicIndex.TopicKey(project: devices[place].project, topic: topic)
        guard topics.hasRoom(for: key) else { return .full }
        topics.insert(place, to: key)
        devices[place].topics[topic] = now
        return .made
    }

    /// False where it did not hear it.
    package mutating func unsubscribe(_ place: Int, from topic: String) -> Bool {
        guard devices[place].topics.removeValue(forKey: topic) != nil else { return false }
        topics.remove(place, from: TopicIndex.TopicKey(project: devices[place].project, topic: topic))
        return true
    }

    mutating func unsubscribeAll(_ place: Int) {
        for topic in devices[place].topics.keys { _ = unsubscribe(place, from: topic) }
    }

    package var topicList: [(name: String, project: String?, devices: Int)] { topics.list }

    package func subscribers(of topic: String, in project: String) -> PlaceSet {
        topics.subscribers(of: topic, in: project)
    }

    /// Every device that a message of this project could reach.
    package func everybody(in project: String) -> PlaceSet {
        PlaceSet(
            devices.indices.lazy.filter { [devices] place in
                !devices[place].fcmToken.isEmpty && (devices[place].project ?? project) == project
                    && devices[place].uninstalled == nil
            })
    }

    /// How many devices were ever made: whoever came later has a higher number.
    package var births: Int { generation }

    /// The device at this place was there when so many had been made.
    package func wasThere(_ place: Int, at births: Int) -> Bool { devices[place].birth <= births }
}
