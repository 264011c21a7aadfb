package import EventLoop

/// What carries a connection's bytes: a socket, or nothing but memory.
package protocol Transport: AnyObject {
    func write(_ bytes: Span<UInt8>)
    /// Bytes the peer has not taken yet.
    var pendingBytes: Int { get }
    func startReading()
    func stopReading()
    /// Says that no more will come, once all is out; the peer may still send.
    func endWriting()
    func close()
    func reset()
}

extension TCPStream: Transport {}
