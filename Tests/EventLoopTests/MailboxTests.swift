import EventLoop
import Glibc
import Testing

/// `offload` provides the other threads: they belong to libuv, so a blocked loop cannot starve them.
@Suite struct MailboxTests {
    @Test func `messages from several threads all arrive, in the order of each thread`() throws {
        let loop = try EventLoop()
        let threads = 4
        let count = 1000
        var received = Array(repeating: [Int](), count: threads)
        var mailbox: Mailbox<(thread: Int, number: Int)>?
        mailbox = try Mailbox(on: loop) { message in
            received[message.thread].append(message.number)
            if received.allSatisfy({ $0.count == count }) { mailbox?.close() }
        }
        for thread in 0..<threads {
            let mailbox = try #require(mailbox)
            try loop.offload {
                for number in 0..<count { mailbox.send((thread, number)) }
            } then: { _ in
            }
        }
        loop.run()
        for numbers in received { #expect(numbers == Array(0..<count)) }
        #expect(loop.close())
    }

    @Test func `messages sent before the loop runs are received, and one callback can send another`() throws {
        let loop = try EventLoop()
        var received: [Int] = []
        var mailbox: Mailbox<Int>?
        mailbox = try Mailbox(on: loop) { message in
            received.append(message)
            if message < 5 { mailbox?.send(message + 3) } else if message == 6 { mailbox?.close() }
        }
        for message in 1...3 { #expect(mailbox?.send(message) == true) }
        loop.run()
        #expect(received == [1, 2, 3, 4, 5, 6])
        #expect(loop.close())
    }

    @Test func `a closed mailbox refuses messages and drops the ones that were not received`() throws {
        let loop = try EventLoop()
        let mailbox = try Mailbox<Int>(on: loop) { _ in Issue.record("a closed mailbox received a message") }
        #expect(mailbox.send(1))
        mailbox.close()
        #expect(!mailbox.send(2))
        loop.run()
        #expect(loop.close())
    }

    @Test func `work runs on another thread, and its result arrives on the loop's thread`() throws {
        let loop = try EventLoop()
        var workThread: pthread_t?
        var doneThread: pthread_t?
        try loop.offload {
            pthread_self()
        } then: { thread in
            workThread = thread
            doneThread = pthread_self()
        }
        // Returns by itself, but not before the work is done.
        loop.run()
        #expect(doneThread == pthread_self())
        #expect(workThread != nil && workThread != doneThread)
        #expect(loop.close())
    }

    @Test func `the loop goes on while work is unfinished`() throws {
        let loop = try EventLoop()
        var log: [String] = []
        // The work ends only when the loop has sent it a message through the pipe.
        var pipe: [Int32] = [0, 0]
        try #require(unsafe Glibc.pipe(&pipe) == 0)
        let (reading, writing) = (pipe[0], pipe[1])
        try loop.offload {
            var byte: UInt8 = 0
            return unsafe read(reading, &byte, 1) == 1 ? byte : 0
        } then: { byte in
            log.append("work \(byte)")
        }
        let timer = try LoopTimer(on: loop) {
            log.append("timer")
            var byte: UInt8 = 7
            _ = unsafe write(writing, &byte, 1)
        }
        timer.start(after: 0)
        loop.run()
        #expect(log == ["timer", "work 7"])
        close(reading)
        close(writing)
        timer.close()
        #expect(loop.close())
    }
}
