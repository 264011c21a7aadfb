internal import TLS

/// Writing what the channel has to send.
extension Connection {
    /// Bytes of unsent output at which the connection stops reading.
    static let outputLimit = 1 << 20
    /// The most bytes that one `flush` takes from the channel, and the most after the turn is over. The rest follows in
    /// the next turn.
    static let pieceLimit = (usual: 256 << 10, late: 64 << 10)

    /// Sends the output of the channel, and ends the connection if the channel is finished.
    func flush() {
        guard lifecycle.writesOutput, let channel = layer.channel else {
            if lifecycle.writesOutput { send([UInt8]().span) }
            return
        }
        var output = gateway.borrowScratch()
        let limit = min(
            Self.outputLimit - transport.pendingBytes,
            gateway.turn.isOver ? Self.pieceLimit.late : Self.pieceLimit.usual)
        channel.drain(into: &output, upTo: limit)
        hasMoreOutput = output.count >= limit
        send(output.span)
        gateway.giveBackScratch(output)
        // `drained` is not called if the kernel has taken everything immediately.
        if hasMoreOutput, transport.pendingBytes == 0 { gateway.flushLater(id) }
        if waitsForRoom, !channel.isFull { waitForTurn() }
        if transport.pendingBytes > Self.outputLimit { transport.stopReading() }
        if channel.isFinished { endGracefully() }
    }

    /// Sends WebSocket frames directly. The channel must have no unsent output.
    func send(frames: Span<UInt8>) {
        guard lifecycle.writesOutput else { return }
        send(frames)
        if transport.pendingBytes > Self.outputLimit { transport.stopReading() }
    }

    func send(_ bytes: Span<UInt8>) {
        guard let tls else { return write(bytes) }
        if bytes.count > 0 { try? tls.write(bytes) }
        tls.drain { write($0) }
    }

    private func write(_ bytes: Span<UInt8>) {
        written += bytes.count
        transport.write(bytes)
    }
}
