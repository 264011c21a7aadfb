/// A protocol on a connection: bytes in, bytes out. The connection carries the bytes, encrypted or not, and decides when
/// to write; what is specific to one protocol stays with its own type.
protocol Channel: AnyObject {
    /// Takes decrypted input.
    func receive(_ bytes: Span<UInt8>)

    /// Appends output, about `limit` bytes at most where the protocol can stop in between.
    func drain(into output: inout [UInt8], upTo limit: Int)

    /// Nothing more will come from this channel: the connection may end.
    var isFinished: Bool { get }

    /// The peer sends no more. Returns what the connection does about it.
    func peerEnded() -> PeerEndReaction

    /// Looks after a peer that has gone silent. `idle` counts the milliseconds since the last byte either way.
    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction

    /// The process shuts down: nothing new is taken, and what runs may end.
    func shutDown()

    /// The connection is closed.
    func detach()
}

enum PeerEndReaction { case close, endGracefully, goOn }

enum SweepReaction {
    case nothing
    /// Something was written.
    case flush
    case close
    /// Write what there is, then break off.
    case flushAndReset
    case reset
}
