package import EventLoop

/// Carries the bytes of a connection: a socket, or a buffer in memory.
package protocol Transport: AnyObject {
    func write(_ bytes: Span<UInt8>)
    /// The number of unsent bytes.
    var pendingBytes: Int { get }
    func startReading()
    func stopReading()
    /// Closes our side when all output is sent. The peer may still send.
    func endWriting()
    func close()
    func reset()
}

extension TCPStream: Transport {}
