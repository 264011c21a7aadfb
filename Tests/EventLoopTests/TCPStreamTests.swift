import EventLoop
import Glibc
import Testing

@Suite struct TCPStreamTests {
    /// More than the kernel takes for a peer that does not read: 8 MiB, in which each block of 4 KiB has its own value.
    private static let large = (0..<2048).flatMap { [UInt8](repeating: UInt8($0 % 251), count: 4096) }

    /// Compares one byte of each block, because comparing all of them is slow in a debug build.
    private func isLarge(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        return bytes.count == Self.large.count
            && stride(from: 0, to: bytes.count, by: 4096).allSatisfy { bytes[$0] == Self.large[$0] }
    }

    @Test func `an accepted stream reads only while reading is on`() throws {
        let pair = try Loopback()
        pair.peer?.send("one")
        for _ in 0..<10 { pair.loop.runOnce() }
        #expect(pair.recorder.text == "")
        pair.stream.startReading()
        pair.run { pair.recorder.text == "one" }
        pair.stream.stopReading()
        pair.peer?.send("two")
        for _ in 0..<10 { pair.loop.runOnce() }
        #expect(pair.recorder.text == "one")
        pair.stream.startReading()
        pair.run { pair.recorder.text == "onetwo" }
        #expect(pair.close())
    }

    @Test func `a peer that has ended its side still receives`() throws {
        let pair = try Loopback()
        pair.stream.startReading()
        pair.peer?.send("question")
        pair.peer?.endWriting()
        pair.run { pair.recorder.events == ["ended"] }
        #expect(pair.recorder.text == "question")
        #expect(!pair.stream.isReading)
        pair.stream.write(Array("answer".utf8).span)
        #expect(pair.peer?.receive() == .bytes(Array("answer".utf8)))
        pair.stream.endWriting()
        #expect(try pair.receive(upTo: 1) == [])
        #expect(pair.close())
    }

    @Test func `the end is sent after all queued bytes, later writes are ignored, and reading goes on`() throws {
        let pair = try Loopback()
        pair.stream.startReading()
        pair.stream.write(Self.large.span)
        // The kernel is full, so these bytes wait for the ones in flight.
        pair.stream.write(([1, 2, 3] as [UInt8]).span)
        pair.stream.endWriting()
        pair.stream.write(([4, 5] as [UInt8]).span)
        pair.stream.endWriting()
        let received = try pair.receive(upTo: .max)
        #expect(isLarge(received.dropLast(3)))
        #expect(received.suffix(3) == [1, 2, 3])
        pair.peer?.send("more")
        pair.run { pair.recorder.text == "more" }
        #expect(pair.recorder.events == ["drained"])
        #expect(pair.close())
    }

    @Test func `bytes that the peer does not read are pending, and drained is called when all are taken`() throws {
        let pair = try Loopback()
        pair.stream.write(Self.large.span)
        let pending = pair.stream.pendingBytes
        #expect((1..<Self.large.count).contains(pending))
        pair.stream.write(([1, 2, 3] as [UInt8]).span)
        #expect(pair.stream.pendingBytes == pending + 3)
        for _ in 0..<10 { pair.loop.runOnce() }
        #expect(pair.stream.pendingBytes > 0)
        #expect(pair.recorder.events == [])
        let received = try pair.receive(upTo: Self.large.count + 3)
        #expect(isLarge(received.dropLast(3)))
        #expect(received.suffix(3) == [1, 2, 3])
        pair.run { pair.recorder.events == ["drained"] }
        #expect(pair.stream.pendingBytes == 0)
        #expect(pair.close())
    }

    @Test func `a closed stream is an end for the peer, and a reset one is an error`() throws {
        let closed = try Loopback()
        closed.stream.close()
        closed.loop.runOnce()
        #expect(closed.peer?.receive() == .end)
        #expect(closed.close())
        let reset = try Loopback()
        reset.stream.reset()
        reset.loop.runOnce()
        #expect(reset.peer?.receive() == .failed(ECONNRESET))
        #expect(reset.close())
    }

    @Test func `a reset by the peer closes the stream, and writing to it does not end the process`() throws {
        let pair = try Loopback()
        pair.peer?.resetWhenClosed()
        pair.stream.startReading()
        pair.peer = nil
        pair.run { pair.recorder.events == ["closed"] }
        pair.stream.write(([1] as [UInt8]).span)
        pair.run { pair.recorder.events == ["closed", "closed"] }
        #expect(pair.close())
    }

    @Test func `a closed stream releases its owner and takes no more bytes`() throws {
        let pair = try Loopback()
        var owner: Recorder? = Recorder()
        weak let released = owner
        pair.stream.owner = owner
        owner = nil
        #expect(released != nil)
        pair.stream.close()
        #expect(released == nil)
        pair.stream.write(Self.large.span)
        #expect(pair.stream.pendingBytes == 0)
        pair.stream.owner = pair.recorder
        #expect(pair.stream.owner == nil)
        #expect(pair.close())
    }
}
