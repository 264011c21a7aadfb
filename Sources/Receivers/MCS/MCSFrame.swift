internal import HTTPCore

/// The kinds of frames of MCS, Google's Mobile Connection Server protocol, over which clients receive
/// (docs/evidence/receivers.md §4).
enum MCSTag: UInt8 {
    case heartbeatPing = 0
    case heartbeatAck, loginRequest, loginResponse, close
    case iq = 7
    case dataMessage
    case streamError = 10
}

/// Why a connection of MCS ends.
package enum MCSProblem: Error, Equatable {
    case version(UInt8)
    case unknownTag(UInt8)
    case tooLong
    case damagedMessage
    /// A frame came before the login, or a second login.
    case unexpected(UInt8)
    case refusedLogin
    /// The client said that it closes the connection.
    case closedByClient
    /// The client has connected again.
    case replaced
}

/// Divides a client's bytes into frames: a tag, a length and a message. One byte with the version comes first.
struct MCSDecoder {
    private var bytes: [UInt8] = []
    /// How many bytes at the start have been decoded.
    private var decoded = 0
    private var hasVersion = false

    /// The versions that Google's server is known to accept; clients send 41.
    private static let versions: Set<UInt8> = [38, 41]
    /// The longest message. The longest that a client is known to send is a login with many ids, of a few KB.
    private static let longest = 256 << 10

    /// The bytes of a frame that is not complete.
    var unfinished: Int { bytes.count - decoded }

    mutating func append(_ more: Span<UInt8>) {
        // An array that was large once would keep its memory.
        if decoded == bytes.count { bytes = [] } else { bytes.removeFirst(decoded) }
        decoded = 0
        bytes.append(addingCapacity: more.count) { $0.append(more) }
    }

    /// The next frame; nil if it is not complete.
    mutating func next() throws(MCSProblem) -> (tag: MCSTag, body: ArraySlice<UInt8>)? {
        var rest = bytes[decoded...]
        if !hasVersion {
            guard let version = rest.popFirst() else { return nil }
            guard Self.versions.contains(version) else { throw .version(version) }
            hasVersion = true
            decoded += 1
        }
        guard let first = rest.popFirst() else { return nil }
        guard let tag = MCSTag(rawValue: first) else { throw .unknownTag(first) }
        // A length of 256 KB has three bytes.
        if rest.count >= 3, rest.prefix(3).allSatisfy({ $0 >= 0x80 }) { throw .tooLong }
        guard let length = ProtoReader.varint(&rest) else { return nil }
        guard length <= Self.longest else { throw .tooLong }
        guard rest.count >= Int(length) else { return nil }
        let body = rest.prefix(Int(length))
        decoded = body.endIndex
        return (tag, body)
    }
}

extension MCSProblem {
    /// For the log.
    package var sentence: String {
        switch self {
        case .version(let version): "the version \(version) is unknown; clients send 41"
        case .unknownTag(let tag): "there is no frame with the tag \(tag)"
        case .tooLong: "a frame is longer than 256 KB"
        case .damagedMessage: "a message is not valid protobuf"
        case .unexpected(let tag): "a frame with the tag \(tag) came at the wrong time"
        case .refusedLogin: "the client's id or token is wrong"
        case .closedByClient: "the client closes the connection"
        case .replaced: "the client has a newer connection"
        }
    }
}
