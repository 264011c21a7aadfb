internal import Glibc
internal import JSON
internal import Threads
internal import PushCore
internal import Tracing

/// What `exec` does after its command: it checks the expectations, prints a summary and writes the reports.
final class ExecChecks: Sendable {
    private let plan: ExecPlan
    /// Safe to share: the signal thread uses the gateway only through its HTTP API.
    private nonisolated(unsafe) let gateway: ExecGateway
    private let end: CommandEnd
    private let milliseconds: Int64
    private let progress = Lock(Progress())

    private struct Progress {
        /// The expectations that are checked.
        var results: [ExpectationResult] = []
        /// After a signal, nothing is added to the results, so that all texts and reports agree.
        var isOver = false
        /// Whether the expectations that are not met were printed.
        var arePrinted = false
    }

    private var results: [ExpectationResult] { progress.withLock { $0.results } }

    /// - Parameter milliseconds: how long the command ran.
    init(_ plan: ExecPlan, _ gateway: ExecGateway, _ end: CommandEnd, _ milliseconds: Int64) {
        (self.plan, self.end, self.milliseconds) = (plan, end, milliseconds)
        unsafe self.gateway = gateway
    }

    func run() throws(ExitFailure) {
        var problem: ExitFailure?
        if end.commandHasRun {
            do throws(ExitFailure) { try checkExpectations() } catch { problem = error }
        }
        try write(problem)
        if let problem { throw problem }
        if results.contains(where: { $0.failure != nil }) { throw ExitFailure(code: 1, message: nil) }
    }

    /// Ends the program because of a signal. The reports say which expectations were not checked.
    func end(_ signal: Int32) -> Never {
        let checked = progress.withLock { progress in
            progress.isOver = true
            return progress.results.count
        }
        let place = plan.expectations.map { ", when \(checked) of \($0.expectations.count) expectations were checked" }
        let problem = ExitFailure(
            code: ExecCommand.signalBase &+ signal,
            message: "signal \(signal) ended exec after the command\(place ?? "")")
        printUnmet()
        do throws(ExitFailure) { try write(problem) } catch { error.lines.forEach(printError) }
        problem.lines.forEach(printError)
        exit(problem.code)
    }

    /// Checks the expectations, and prints the unmet ones and a summary.
    private func checkExpectations() throws(ExitFailure) {
        try unsafe gateway.checkPresence()
        if let expectations = plan.expectations {
            defer { printUnmet() }
            try unsafe expectations.check(gateway.ask) { (result) throws(ExitFailure) in
                let explained = try unsafe result.explained(gateway.message, gateway.reports)
                let number = progress.withLock { progress in
                    if !progress.isOver { progress.results.append(explained) }
                    return progress.results.count
                }
                if let app = try unsafe gateway.unusedApp(of: result) {
                    printError(
                        "pushpit: No push had the app \(app.quoted), so expectation \(number) could not fail.")
                }
            }
            // A gateway that starts while an expectation waits has lost what came before.
            try unsafe gateway.checkPresence()
            try unsafe gateway.checkMemory(for: results)
        }
        printError(try unsafe gateway.summary().text)
    }

    /// Prints the expectations that are not met, unless that was done before.
    private func printUnmet() {
        progress.withLock { progress in
            if progress.arePrinted { return }
            progress.arePrinted = true
            plan.expectations?.lines(progress.results).forEach(printError)
        }
    }

    /// - Parameter problem: why not everything was checked.
    private func write(_ problem: ExitFailure?) throws(ExitFailure) {
        guard !plan.reports.isEmpty else { return }
        var problem = problem
        var messages: [JSONView] = []
        do throws(ExitFailure) { messages = try unsafe gateway.messages() } catch { problem = problem ?? error }
        let report = ExecReport(
            of: plan.command, plan.command.failure(end), milliseconds: milliseconds,
            expectations: results, messages: messages, problem: problem?.message)
        for file in plan.reports { try file.write(report) }
    }
}
