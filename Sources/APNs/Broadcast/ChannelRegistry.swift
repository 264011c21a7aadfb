package import PushCore

/// Broadcast channels. A channel belongs to one app in one environment; other apps and the other environment don't see
/// it.
package struct ChannelRegistry: Sendable {
    package struct Channel: Sendable {
        /// 0 stores nothing, and 1 stores the latest message (docs/evidence/apns.md §7.1, documented).
        package let storagePolicy: Int
        /// Deleted channels stay in the registry, because requests for them get different answers than requests for
        /// channels that never existed.
        package fileprivate(set) var isDeleted = false
        /// The devices that get its broadcasts, in the order in which they subscribed.
        package fileprivate(set) var subscribers: [DeviceID] = []

        package init(storagePolicy: Int, isDeleted: Bool = false) {
            self.storagePolicy = storagePolicy
            self.isDeleted = isDeleted
        }
    }

    /// Identifies a channel across all apps and both environments.
    package struct Key: Sendable {
        package let environment: PushEnvironment
        package let app: String
        package let id: String

        package init(_ id: String, of app: String, in environment: PushEnvironment) {
            self.environment = environment
            self.app = app
            self.id = id
        }
    }

    private struct ChannelScope: Sendable, Hashable {
        let environment: PushEnvironment
        let app: String
    }

    private var channelsByScope: [ChannelScope: [String: Channel]] = [:]
    /// How many channels of each scope are not deleted.
    private var liveCounts: [ChannelScope: Int] = [:]
    private var total = 0

    /// The maximum number of channels of one app in one environment (documented).
    package static let limit = 10_000
    /// The maximum number of channels of all apps together, including deleted ones. This limit is Pushpit's, not
    /// Apple's.
    private static let totalLimit = 100_000

    package init() {}

    /// Creates a channel and returns its id; nil if there are too many.
    mutating func make(
        for app: String, in environment: PushEnvironment, storagePolicy: Int, using generator: inout Random
    ) -> String? {
        let scope = ChannelScope(environment: environment, app: app)
        guard total < Self.totalLimit, liveCounts[scope, default: 0] < Self.limit else { return nil }
        let id = Self.makeID(using: &generator)
        channelsByScope[scope, default: [:]][id] = Channel(storagePolicy: storagePolicy)
        liveCounts[scope, default: 0] += 1
        total += 1
        return id
    }

    /// Adds a channel that was saved. Its subscribers are added with `subscribe`.
    package mutating func restore(_ channel: Channel, _ key: Key) {
        let scope = ChannelScope(environment: key.environment, app: key.app)
        channelsByScope[scope, default: [:]][key.id] = channel
        liveCounts[scope, default: 0] += channel.isDeleted ? 0 : 1
        total += 1
    }

    package func channel(_ key: Key) -> Channel? { channel(key.id, of: key.app, in: key.environment) }

    package func channel(_ id: String, of app: String, in environment: PushEnvironment) -> Channel? {
        channelsByScope[ChannelScope(environment: environment, app: app)]?[id]
    }

    /// False if the channel does not exist or is deleted already.
    mutating func delete(_ id: String, of app: String, in environment: PushEnvironment) -> Bool {
        let scope = ChannelScope(environment: environment, app: app)
        guard channelsByScope[scope]?[id]?.isDeleted == false else { return false }
        channelsByScope[scope]?[id]?.isDeleted = true
        liveCounts[scope, default: 0] -= 1
        return true
    }

    func ids(of app: String, in environment: PushEnvironment) -> [String] {
        (channelsByScope[ChannelScope(environment: environment, app: app)] ?? [:]).filter { !$0.value.isDeleted }.keys
            .sorted()
    }

    /// False if the channel does not exist or is deleted.
    package mutating func subscribe(_ id: String, of app: String, in environment: PushEnvironment, _ device: DeviceID)
        -> Bool
    {
        let scope = ChannelScope(environment: environment, app: app)
        guard channelsByScope[scope]?[id]?.isDeleted == false else { return false }
        channelsByScope[scope]?[id]?.subscribers.append(device)
        return true
    }

    package mutating func unsubscribe(
        _ id: String, of app: String, in environment: PushEnvironment, _ device: DeviceID
    ) {
        channelsByScope[ChannelScope(environment: environment, app: app)]?[id]?.subscribers.removeAll { $0 == device }
    }

    /// 16 random bytes in standard base64, the form of Apple's ids (§7.1, observed).
    private static func makeID(using generator: inout Random) -> String {
        let words = [generator.next(), generator.next()]
        let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
        let text = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return String(text) + "=="
    }

    /// Whether a text may be a channel id: standard base64 of at most 64 characters (assumed).
    static func isID(_ text: String) -> Bool {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let isBase64 = digits.allSatisfy { byte in
            0x30...0x39 ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: "/")
        }
        return isBase64 && !digits.isEmpty && text.utf8.count <= 64 && text.utf8.count.isMultiple(of: 4)
            && text.utf8.dropFirst(digits.count).allSatisfy { $0 == UInt8(ascii: "=") }
    }
}
