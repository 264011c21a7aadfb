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
        // An error on the way releases it, which removes it too.
        let directory = try temporaryDirectory(plan.variables)
        let files = ExecFiles(directory: directory.path)
        let gateway = try ExecGateway(plan.configuration(files))
        let command = try prepare(plan, gateway, files)
        printError("pushpit: Pushes of \"\(plan.command.name)\" go to \(gateway.url) (via \(plan.route.rawValue)).")
        // A signal that arrived during the start ends the program here, before the command starts.
        if let signal = ForwardedSignals.waiting {
            throw ExitFailure(code: ExecCommand.signalBase &+ signal, message: nil)
        }
        let end = command.run()
        directory.remove()
        // From here on nothing is left to clean up, so a signal may end the program.
        ForwardedSignals.unblock()
        let unmet = try unmet(plan, gateway, end)
        gateway.stop()
        if let failure = plan.command.failure(end) ?? (unmet ? ExitFailure(code: 1, message: nil) : nil) {
            throw failure
        }
    }

    private static func temporaryDirectory(_ variables: Variables) throws(ExitFailure) -> RunDirectory {
        let parent = Files.absolute(variables.text("TMPDIR") ?? "/tmp")
        RunDirectory.removeAbandoned(directoryName, in: parent, at: EventLoop.wallClock / 1000)
        do throws(Files.Failure) { return try RunDirectory.make(directoryName, in: parent) } catch {
            throw ExitFailure(code: 73, message: "\(error); TMPDIR has to name a directory that you can write to")
        }
    }

    private static func prepare(
        _ plan: ExecPlan, _ gateway: ExecGateway, _ files: ExecFiles
    ) throws(ExitFailure) -> SupervisedCommand {
        var writer = ExecWriter(files: files, credentials: gateway.credentials, inherited: plan.variables)
        do throws(ExecWriter.Problem) { try writer.write(url: gateway.url) } catch {
            throw ExitFailure(code: 74, message: error.description)
        }
        writer.warnings.forEach(printError)
        var variables = plan.variables
        GatewayVariables(
            credentials: gateway.credentials, files: files, url: gateway.url, apiToken: plan.settings.apiToken
        ).set(in: &variables)
        let authority = gateway.credentials.path("ca.pem")
        TrustVariables(files: files, authority: authority, hasTrustStore: writer.hasTrustStore).set(in: &variables)
        RouteVariables(
            route: plan.route, port: gateway.address.port, apiToken: plan.settings.apiToken,
            hasJava: writer.hasTrustStore
        ).set(in: &variables)
        let redirection = SupervisedCommand.Redirection(
            hostsFile: files.hosts, authorityFile: authority, bundles: TrustVariables.systemBundles,
            defaultBundles: TrustVariables.defaultBundles, address: ExecFiles.pushAddress, port: gateway.address.port)
        return SupervisedCommand(
            plan.command.words, environment: variables.entries, redirection: plan.route == .trace ? redirection : nil)
    }

    /// Prints the expectations that are not met, and returns whether there are any.
    private static func unmet(_ plan: ExecPlan, _ gateway: ExecGateway, _ end: CommandEnd) throws(ExitFailure) -> Bool {
        guard let expectations = plan.expectations, end.isOfCommand else { return false }
        let lines = try expectations.unmet(gateway.ask)
        lines.forEach(printError)
        return !lines.isEmpty
    }
}
