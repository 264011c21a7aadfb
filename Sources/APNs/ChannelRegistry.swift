package import PushCore

/// Broadcast channels: those of one app in one environment are unknown in the others.
package struct ChannelRegistry: Sendable {
    package struct Channel: Sendable {
        /// 0: nothing is stored; 1: the latest message is (facts/apns.md §7.1, documented).
        package let storagePolicy: Int
        /// Deleted ones are remembered: they are told apart from those that never were.
        package fileprivate(set) var isDeleted = false
        /// The devices that get what is sent to it, in the order they came.
        package fileprivate(set) var subscribers: [DeviceID] = []
    }

    private struct ChannelScope: Sendable, Hashable {
        let environment: PushEnvironment
        let app: String
    }

    private var channelsByScope: [ChannelScope: [String: Channel]] = [:]
    /// How many of each scope are not deleted.
    private var liveCounts: [ChannelScope: Int] = [:]
    private var total = 0

    /// Channels of one app in one environment (documented), and of all together, deleted ones too (ours).
    package static let limit = 10_000
    private static let totalLimit = 100_000

    package init() {}

    /// Its id; nil where there are too many.
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

    package func channel(_ id: String, of app: String, in environment: PushEnvironment) -> Channel? {
        channelsByScope[ChannelScope(environment: environment, app: app)]?[id]
    }

    /// False where there is none, or none any more.
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

    /// False where there is no such channel, or none any more.
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

    /// 16 octets in standard base64, as the real ones were seen (§7.1, observed).
    private static func makeID(using generator: inout Random) -> String {
        let words = [generator.next(), generator.next()]
        let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
        let text = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return String(text) + "=="
    }

    /// What may be an id at all: standard base64 of at most 64 octets (assumed).
    static func isID(_ text: String) -> Bool {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let isAlphabet = digits.allSatisfy { octet in
            0x30...0x39 ~= octet || UInt8(ascii: "a")...UInt8(ascii: "z") ~= octet | 0x20 || octet == UInt8(ascii: "+")
                || octet == UInt8(ascii: "/")
        }
        return isAlphabet && !digits.isEmpty && text.utf8.count <= 64 && text.utf8.count.isMultiple(of: 4)
            && text.utf8.dropFirst(digits.count).allSatisfy { $0 == UInt8(ascii: "=") }
    }
}
