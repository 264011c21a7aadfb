internal import Credentials
internal import EventLoop
internal import Gateway
internal import Glibc
internal import JSON
internal import Platform
internal import PushCore
internal import Tracing

/// `pushpit exec COMMAND…`: runs a command, and a gateway that gets its pushes.
enum Exec {
    private static let directoryName = "pushpit-exec"

    static func run(_ options: Options) throws(ExitFailure) {
        let plan = try ExecPlan(options)
        if let notice = plan.notice { printError("pushpit: \(notice)") }
        // Before the first thread starts: the gateway's threads must leave these signals to the command.
        ForwardedSignals.block()
        // An error releases this value, which removes the directory.
        let directory = try temporaryDirectory(
            directoryName, in: Files.absolute(plan.variables.text("TMPDIR") ?? "/tmp"))
        let files = ExecFiles(directory: directory.path)
        let gateway = try plan.gateway(files)
        let command = try prepare(plan, gateway, files)
        printError(
            "pushpit: Pushes of \"\(plan.command.name)\" go to \(gateway.url) (via \(plan.route.rawValue)).\(plan.warning)"
        )
        // A signal that arrived during the start ends the program here, before the command starts.
        if let signal = ForwardedSignals.waiting {
            throw ExitFailure(code: ExecCommand.signalBase &+ signal, message: nil)
        }
        let start = EventLoop.wallClock
        let end = command.run()
        let milliseconds = max(0, EventLoop.wallClock &- start)
        directory.remove()
        let checks = ExecChecks(plan, gateway, end, milliseconds)
        try finish(plan, gateway, end, checks)
    }

    /// Makes a temporary directory, and deletes the directories of runs that were killed.
    static func temporaryDirectory(
        _ name: String, in parent: String, remedy: String = "TMPDIR has to name a directory that you can write to"
    ) throws(ExitFailure) -> RunDirectory {
        RunDirectory.removeAbandoned(name, in: parent, at: EventLoop.wallClock / 1000)
        do throws(Files.Failure) { return try RunDirectory.make(name, in: parent) } catch {
            throw ExitFailure(code: 73, message: "\(error); \(remedy)")
        }
    }

    private static func prepare(
        _ plan: ExecPlan, _ gateway: ExecGateway, _ files: ExecFiles
    ) throws(ExitFailure) -> SupervisedCommand {
        let environment = ClientEnvironment(
            credentials: gateway.credentials, files: files, url: gateway.url, address: gateway.address,
            apiToken: gateway.apiToken, route: plan.route, usesProxy: plan.usesProxy)
        var (variables, warnings) = try environment.write(plan.variables)
        variables[GatewayVariables.keepName] = GatewayVariables.keepValue
        warnings.forEach(printError)
        let redirection = SupervisedCommand.Redirection(
            hostsFile: files.hosts, authorityFile: gateway.credentials.path("ca.pem"),
            bundles: TrustVariables.systemBundles, defaultBundles: TrustVariables.defaultBundles,
            address: ExecFiles.pushAddress, port: gateway.address.port)
        var command = SupervisedCommand(
            plan.command.words, environment: variables.entries, redirection: plan.route == .trace ? redirection : nil)
        command.stillRuns = { process, seconds in
            printError(
                "pushpit: The command still runs \(seconds) s after SIGTERM, which it may ignore. 'kill -KILL \(process)' ends it."
            )
        }
        return command
    }

    /// Ends the program with the command's exit code. If the command succeeded, a problem with the expectations or the
    /// reports decides.
    private static func finish(
        _ plan: ExecPlan, _ gateway: ExecGateway, _ end: CommandEnd, _ checks: ExecChecks
    ) throws(ExitFailure) {
        ForwardedSignals.unblockJobControl()
        let watch = SignalWatch { signal in checks.end(signal) }
        // Without a thread for them, signals end the program without its reports.
        if watch == nil { ForwardedSignals.unblock() }
        var problem: ExitFailure?
        do throws(ExitFailure) { try checks.run() } catch { problem = error }
        watch?.stop()
        gateway.stop()
        if let ending = plan.command.failure(end) {
            problem?.lines.forEach(printError)
            throw ending
        }
        if let problem { throw problem }
    }
}
