/// A protocol on a connection: bytes in, bytes out. The connection carries the bytes, encrypted or not, and decides
/// when to write. Everything that is specific to one protocol is in its channel.
protocol Channel: AnyObject {
    /// Takes decrypted input. Returns how many bytes it has taken: fewer than all if the turn was over before the end, or
    /// if the channel is full.
    func receive(_ bytes: Span<UInt8>) -> Int

    /// Whether input that was taken still has to be handled in a later turn. Call `receive` again then.
    var hasEvents: Bool { get }

    /// Appends output. A protocol that can interrupt its output appends about `limit` bytes at most.
    func drain(into output: inout [UInt8], upTo limit: Int)

    /// Whether reading must pause, because too much input waits for an earlier answer to be written.
    var mustPauseReading: Bool { get }

    /// Whether so much output waits that no input is taken.
    var isFull: Bool { get }

    /// Whether all output has been drained or is no longer needed, so that the connection may end.
    var isFinished: Bool { get }

    /// The peer has closed its side. Returns what the connection has to do.
    func peerEnded() -> PeerEndReaction

    /// Checks the timeouts. `idle` is the number of milliseconds since the last byte in either direction.
    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction

    /// Ends the connection at once, because the peer costs too much.
    func endForAbuse(_ reason: String)

    /// The process is shutting down: new requests are refused, running requests may finish.
    func shutDown()

    /// The connection is closed.
    func detach()
}

enum PeerEndReaction { case close, endGracefully, stayOpen }

enum SweepReaction {
    case nothing
    /// Something was written.
    case flush
    case close
    /// Write the pending output, then reset the connection.
    case flushAndReset
    case reset
}

extension Channel {
    var hasEvents: Bool { false }
    var mustPauseReading: Bool { false }
    var isFull: Bool { false }
}

extension Connection {
    /// The protocol, as far as it is known.
    enum Layer {
        case opening
        case handshaking
        /// A fault delays the connection; the bytes so far.
        case held([UInt8])
        /// The protocol is not known yet; the bytes so far.
        case sniffing([UInt8])
        case http1(HTTP1Channel)
        case http2(HTTP2Channel)
        case webSocket(WebSocketChannel)
        case relay(RelayChannel)
        case mcs(MCSChannel)

        /// Nil until the protocol is known.
        var channel: (any Channel)? {
            switch self {
            case .opening, .held, .handshaking, .sniffing: nil
            case .http1(let channel): channel
            case .http2(let channel): channel
            case .webSocket(let channel): channel
            case .relay(let channel): channel
            case .mcs(let channel): channel
            }
        }
    }
}
