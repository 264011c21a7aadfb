import Threads
import Testing

@testable import Tracing

/// Commands whose output is read.
@Suite struct CommandOutputTests {
    /// Collects the output. The first line is what it waits for.
    private final class Collector: OutputReceiver {
        let patience: UInt64
        let text = Lock("")
        let calls = Lock(0)

        init(patience: UInt64) { self.patience = patience }

        func receive(_ piece: [UInt8]) -> Bool {
            text.withLock { text in
                text += String(decoding: piece, as: UTF8.self)
                return text.contains("\n")
            }
        }
        func timeIsUp() { calls.withLock { $0 += 1 } }
    }

    private func run(_ script: String, patience: UInt64 = 60_000) throws -> (end: CommandEnd, text: String, calls: Int)
    {
        let collector = Collector(patience: patience)
        let output = try #require(CommandOutput(collector))
        var command = SupervisedCommand(
            ["sh", "-c", script].map { Array($0.utf8) }, environment: [Array("PATH=/usr/bin:/bin".utf8)],
            redirection: nil)
        command.output = output
        let end = command.run()
        output.finish()
        return (end, collector.text.withLock { $0 }, collector.calls.withLock { $0 })
    }

    @Test func `both outputs are read to their end, and the input is empty`() throws {
        let done = try run("echo out; echo error >&2; cat; exit 3")
        #expect(done == (.exited(3), "out\nerror\n", 0))
    }

    @Test func `more output than fits into a pipe is read`() throws {
        #expect(try run("head -c 1000000 /dev/zero | tr '\\0' x").text.utf8.count == 1_000_000)
    }

    @Test func `the command leads a process group`() throws {
        #expect(try run("set -- $(cat /proc/$$/stat); test $1 = $5").end == .exited(0))
    }

    @Test func `the time is up once, and only if the first line does not come`() throws {
        #expect(try run("echo late", patience: 0).calls == 1)
        #expect(try run("echo first", patience: 60_000).calls == 0)
    }
}
