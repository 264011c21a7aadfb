internal import HTTPCore
internal import PushCore

/// `POST /checkin`, with which a client gets its id and its security token (docs/evidence/receivers.md §2).
struct Checkin {
    /// What the client had before; zeros at its first checkin.
    private(set) var claimed = ReceiverID(android: 0, token: 0)
    /// The host of the endpoints that this client gives to pages: builds of Chromium that are not Google's stable Chrome
    /// have another one.
    private(set) var host = "fcm.googleapis.com"

    /// Field numbers of AndroidCheckinRequest, AndroidCheckinProto and ChromeBuildProto.
    private enum Field { static let id = 2, details = 4, securityToken = 13, build = 13, channel = 3 }
    private static let stableChannel: UInt64 = 1

    /// What can't be read is like a first checkin: Chromium would try again without a pause if it were refused.
    init(_ body: [UInt8]) {
        try? read(body[...])
    }

    private mutating func read(_ body: ArraySlice<UInt8>) throws(ProtoReader.Damage) {
        var reader = ProtoReader(body)
        var (id, token): (UInt64, UInt64) = (0, 0)
        while let (number, value) = try reader.next() {
            switch number {
            case Field.id: id = value.number ?? id
            case Field.securityToken: token = value.fixed ?? token
            case Field.details: try readBuild(of: value.bytes ?? [])
            default: break
            }
        }
        claimed = ReceiverID(android: id, token: token)
    }

    private mutating func readBuild(of details: ArraySlice<UInt8>) throws(ProtoReader.Damage) {
        var reader = ProtoReader(details)
        while let (number, value) = try reader.next() {
            if number == Field.build { try readChannel(of: value.bytes ?? []) }
        }
    }

    private mutating func readChannel(of build: ArraySlice<UInt8>) throws(ProtoReader.Damage) {
        var reader = ProtoReader(build)
        while let (number, value) = try reader.next() {
            if number == Field.channel, value.number != Self.stableChannel { host = "jmt17.google.com" }
        }
    }

    /// The answer: AndroidCheckinResponse.
    static func response(_ id: ReceiverID, at now: Timestamp) -> Response {
        var body = ProtoWriter()
        body.number(1, 1)
        body.number(3, UInt64(clamping: now.milliseconds))
        body.fixed(7, id.android)
        body.fixed(8, id.token)
        return Response(
            status: 200, headers: HeaderBlock([.contentType: "application/x-protobuf"]), body: .bytes(body.bytes))
    }
}

/// The id of a receiving client, and the token with which it proves that the id is its own.
package struct ReceiverID: Hashable, Sendable {
    package let android: UInt64
    package let token: UInt64

    /// Ids stay below 2⁶³, because some clients read them as signed numbers.
    init(using random: inout Random) {
        android = random.next() >> 1 | 1
        token = random.next() >> 1 | 1
    }

    init(android: UInt64, token: UInt64) {
        self.android = android
        self.token = token
    }

    /// Reads `AidLogin <id>:<token>`; nil if it is not that.
    init?(authorization: String) {
        let words = authorization.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "aidlogin" else { return nil }
        let parts = words[1].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(decimal: String(parts[0]), String(parts[1]))
    }

    /// Reads the decimal numbers that clients send. Some send them as signed numbers.
    init?(decimal id: String, _ token: String) {
        func number(_ text: String) -> UInt64? { UInt64(text) ?? Int64(text).map { UInt64(bitPattern: $0) } }
        guard let id = number(id), let token = number(token) else { return nil }
        self.init(android: id, token: token)
    }
}
