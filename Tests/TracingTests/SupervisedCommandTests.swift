import Testing

@testable import Tracing

/// Commands that run without redirection. Tests/Conformance/exec tests redirected commands.
@Suite struct SupervisedCommandTests {
    private func run(_ words: [String], _ variables: [String] = ["PATH=/usr/bin:/bin"]) -> CommandEnd {
        SupervisedCommand(
            words.map { Array($0.utf8) }, environment: variables.map { Array($0.utf8) }, redirection: nil
        ).run()
    }

    @Test(
        arguments: [(["true"], 0), (["/bin/sh", "-c", "exit 7"], 7), (["sh", "-c", "exit $#", "a", "b"], 1)]
            as [([String], Int32)])
    func `a command's exit code is known`(words: [String], code: Int32) {
        #expect(run(words) == .exited(code))
    }

    @Test func `a signal that ends a command is known`() {
        #expect(run(["sh", "-c", "kill -TERM $$"]) == .killed(signal: 15))
    }

    @Test(arguments: [("no-such-command", 2), ("/no/one", 2), ("/etc/passwd", 13)] as [(String, Int32)])
    func `a command that can't be executed has an error`(name: String, error: Int32) {
        #expect(run([name]) == .notExecuted(error: error))
    }

    @Test func `a command has the given variables and no others`() {
        let script = #"test "$A" = "b=c" && test -z "$HOME""#
        #expect(run(["/bin/sh", "-c", script], ["A=b=c"]) == .exited(0))
        #expect(run(["/bin/sh", "-c", script], ["A=b", "HOME=/"]) == .exited(1))
    }

    @Test func `no signal waits in the test's process`() {
        #expect(ForwardedSignals.waiting == nil)
    }

    @Test func `a command has run only if it was executed and not lost`() {
        #expect(!CommandEnd.lost.commandHasRun && !CommandEnd.notExecuted(error: 2).commandHasRun)
        #expect(CommandEnd.exited(1).commandHasRun && CommandEnd.killed(signal: 9).commandHasRun)
    }

    @Test func `statuses of waitpid are understood`() {
        #expect(CommandEnd(status: 0) == .exited(0))
        #expect(CommandEnd(status: 0xFF00) == .exited(255))
        #expect(CommandEnd(status: 9) == .killed(signal: 9))
        #expect(CommandEnd(status: 0x80 | 11) == .killed(signal: 11))
    }
}
