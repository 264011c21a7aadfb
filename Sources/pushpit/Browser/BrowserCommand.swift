internal import Browsers
internal import EventLoop
internal import Glibc
internal import HTTPCore
internal import Platform
internal import PushCore
internal import Tracing

/// `pushpit browser`: runs a browser that gets its pushes from a gateway.
enum BrowserCommand {
    private static let directoryName = "pushpit-browser"
    /// Where browsers leave sockets, caches and files about crashes, besides their profile.
    private static let temporaryVariables = ["TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"]

    static func run(_ options: Options) throws(ExitFailure) {
        let request = try BrowserRequest(options)
        let running = try BrowserGateway.running(options)
        // Before the first thread starts: all threads must leave these signals to the browser.
        ForwardedSignals.block()
        // An error releases this value, which removes the directory.
        let directory = try temporaryDirectory(for: request.program)
        let gateway =
            if let running {
                try BrowserGateway(running, for: request.browser, options)
            } else {
                try BrowserGateway(
                    for: request.browser, request.page, credentialsIn: "\(directory.path)/certs", options)
            }
        let admission = try request.page.map { (page) throws(ExitFailure) in try gateway.admit(page, options) }
        for warning in warnings(request, admission, isNewGateway: gateway.isOwn) { printError("pushpit: \(warning)") }
        let profile = request.profile ?? "\(directory.path)/profile"
        let plan = try prepare(request, gateway, profile)
        let report = report(request, gateway)
        let watch = BrowserWatch(request.browser) { printOutput(report.lines($0).asLines) }
        guard let output = CommandOutput(watch) else {
            throw ExitFailure(code: 71, message: "the system has no descriptors or threads left for the browser")
        }
        let command = command(request, plan, output, in: directory)
        // A signal that arrived during the start ends the program here, before the browser starts.
        if let signal = ForwardedSignals.waiting {
            throw ExitFailure(code: ExecCommand.signalBase &+ signal, message: nil)
        }
        let end = command.run()
        output.finish()
        directory.remove()
        if admission == .forNow, let page = request.page { try gateway.revokeAdmission(page, options) }
        ForwardedSignals.unblock()
        gateway.stop()
        if let failure = BrowserEnd(of: request.program.path, request.browser, profile: profile, watch).failure(end) {
            throw failure
        }
    }

    private static func temporaryDirectory(for program: BrowserProgram) throws(ExitFailure) -> RunDirectory {
        let variables = Variables.ofThisProcess
        let parent = program.parent(home: variables.text("HOME"), temporary: variables.text("TMPDIR") ?? "/tmp")
        guard program.snap != nil else { return try Exec.temporaryDirectory(directoryName, in: Files.absolute(parent)) }
        return try Exec.temporaryDirectory(
            directoryName, in: parent,
            remedy: "start the browser once without pushpit; its snap then creates this directory")
    }

    /// What the page can't do, and the remedies.
    private static func warnings(
        _ request: BrowserRequest, _ admission: BrowserGateway.Admission?, isNewGateway: Bool
    ) -> [String] {
        var warnings: [String] = []
        if isNewGateway, request.browser == .chromium, let profile = request.profile,
            (try? Files.read("\(profile)/Default/Preferences")) != nil
        {
            warnings.append(
                "This gateway is new and does not know the subscriptions of the profile, so their senders get 404. Keep "
                    + "them with --url and a gateway that has --data, or let the page unsubscribe and subscribe again.")
        }
        guard let page = request.page else { return warnings }
        if !page.isSecure {
            warnings.append(
                "Browsers do not deliver pushes to \(page.origin): open the page with https, or as http://localhost.")
        }
        if admission == .refused {
            warnings.append(
                "The gateway does not let the page in. If it uses Firebase's SDK, start the gateway with "
                    + "--allow-origin \(page.origin).")
        }
        return warnings
    }

    private static func report(_ request: BrowserRequest, _ gateway: BrowserGateway) -> BrowserReport {
        let certificates = gateway.certificates.map { " --certs \(Banner.quoted($0))" } ?? ""
        return BrowserReport(
            request.browser, program: request.program.path, page: request.page, profile: request.profile,
            gateway: gateway.url, gatewayEnds: gateway.isOwn,
            exec: "pushpit exec --url \(gateway.url)\(certificates) -- COMMAND")
    }

    /// Writes the files of the profile.
    private static func prepare(
        _ request: BrowserRequest, _ gateway: BrowserGateway, _ profile: String
    ) throws(ExitFailure) -> BrowserPlan {
        let setup = BrowserSetup(
            profile: profile, page: request.page, gateway: gateway.setup, isHeadless: request.isHeadless,
            isRoot: geteuid() == 0, start: EventLoop.wallClock)
        let plan: BrowserPlan
        do throws(BrowserPlan.Problem) {
            plan = try BrowserPlan(request.browser, setup) { (try? Files.read("\(profile)/\($0)")) ?? nil }
        } catch {
            throw ExitFailure(
                code: 65,
                message:
                    "\(profile.onOneLine)/\(error.path) \(error.reason): delete it, or name another directory with --profile"
            )
        }
        do throws(Files.Failure) {
            try Files.makeDirectory(profile)
            for file in plan.files {
                if let inner = file.directory { try Files.makeDirectory("\(profile)/\(inner)") }
                try Files.write(file.bytes, to: "\(profile)/\(file.path)", mode: 0o600, isLasting: false)
            }
        } catch {
            throw ExitFailure(code: 73, message: "\(error)")
        }
        return plan
    }

    private static func command(
        _ request: BrowserRequest, _ plan: BrowserPlan, _ output: CommandOutput, in directory: RunDirectory
    ) -> SupervisedCommand {
        var variables = Variables.ofThisProcess
        RouteVariables.keepFromProxy(&variables)
        for name in temporaryVariables { variables[name] = directory.path }
        let words = [request.program.path] + plan.arguments
        var command = SupervisedCommand(
            words.map { Array($0.utf8) }, environment: variables.entries, redirection: nil)
        command.output = output
        command.stillRuns = { process, seconds in
            printError(
                "pushpit: The browser still runs \(seconds) s after SIGTERM. 'kill -KILL \(process)' ends it.")
        }
        return command
    }
}
