/// Parses the frames that a gateway sends over HTTP/2, to record what the client's library does not report.
struct FrameRecorder {
    /// A GOAWAY frame.
    struct GoAway: Equatable {
        let lastStream: Int
        let code: UInt32
        let text: String
    }

    private(set) var goAways: [GoAway] = []
    /// The error code of each stream that the gateway has reset.
    private(set) var resets: [Int: UInt32] = [:]
    /// The bytes of each body so far.
    private(set) var bodies: [Int: [UInt8]] = [:]
    /// The streams whose HEADERS have arrived.
    private(set) var begun: Set<Int> = []
    /// Every SETTINGS_MAX_CONCURRENT_STREAMS, oldest first, and the newest SETTINGS_INITIAL_WINDOW_SIZE.
    private(set) var streamLimits: [Int] = []
    private(set) var window: Int?
    /// The types and streams of all frames, oldest first.
    private(set) var frames: [(type: UInt8, stream: Int)] = []
    private var pending: [UInt8] = []

    private static let headSize = 9

    mutating func read(_ bytes: [UInt8]) {
        pending += bytes
        var offset = 0
        while pending.count - offset >= Self.headSize {
            let length = number(pending[offset..<(offset + 3)])
            guard pending.count - offset >= Self.headSize + length else { break }
            let head = pending[offset..<(offset + Self.headSize)]
            let start = offset + Self.headSize
            read(type: pending[offset + 3], stream: number(head.suffix(4)), pending[start..<(start + length)])
            offset = start + length
        }
        pending.removeFirst(offset)
    }

    private mutating func read(type: UInt8, stream: Int, _ payload: ArraySlice<UInt8>) {
        frames.append((type, stream))
        switch type {
        case 0: bodies[stream, default: []] += payload
        case 1: begun.insert(stream)
        case 3: resets[stream] = UInt32(number(payload))
        case 4: readSettings(payload)
        case 7:
            goAways.append(
                GoAway(
                    lastStream: number(payload.prefix(4)), code: UInt32(number(payload.dropFirst(4).prefix(4))),
                    text: String(decoding: payload.dropFirst(8), as: UTF8.self)))
        default: break
        }
    }

    private mutating func readSettings(_ payload: ArraySlice<UInt8>) {
        var rest = payload
        while rest.count >= 6 {
            let value = number(rest.dropFirst(2).prefix(4))
            switch number(rest.prefix(2)) {
            case 3: streamLimits.append(value)
            case 4: window = value
            default: break
            }
            rest = rest.dropFirst(6)
        }
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
