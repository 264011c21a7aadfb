internal import Credentials
internal import EventLoop
internal import Gateway
internal import Platform
internal import Routing
internal import Tracing

/// What the options of `exec` ask for. Everything that the user can get wrong is checked here, before anything starts.
struct ExecPlan {
    let command: ExecCommand
    let route: ExecRoute
    /// Whether HTTPS_PROXY names the gateway. True with `--via proxy`; also true with `--via preload` if the gateway can
    /// forward connections to other hosts. Programs that bypass the preloaded functions, such as those in Go, need it.
    let usesProxy: Bool
    let expectations: ExpectationFile?
    let reports: [ReportFile]
    /// The variables that the command gets, without those of Pushpit.
    let variables: Variables
    /// What the user should know about the route.
    let notice: String?
    private let settings: Configuration
    private let seed: SeedFile?
    private let certificates: String?
    /// The gateway that `--url` names.
    private let running: RunningGateway?

    init(_ options: Options) throws(ExitFailure) {
        guard !options.operands.isEmpty else {
            throw .usage("exec needs a command to run: pushpit exec [options] -- COMMAND [ARGUMENT ...]", .exec)
        }
        command = ExecCommand.ofThisProcess(lastArguments: options.operands.count)
        let certificates = try options.text("certs").map(Files.absolute)
        let running = try GatewayURL(options).map { url throws(ExitFailure) in
            try RunningGateway(url, certificates: certificates, options)
        }
        let (variables, command) = (Variables.ofThisProcess, command)
        (route, notice) = try options.choice("via", Via.self).route(
            in: Via.Circumstances(
                host: running?.address.host, command: command.name, canTrace: SupervisedCommand.canRedirect,
                canPreload: { ProgramFile.canPreload(command.program, path: variables["PATH"]) }))
        self.variables = variables
        let canPassOn = route == .proxy || route == .preload && Serve.canReplaceProxy(of: variables)
        var settings = try Serve.configuration(options, usesProxy: canPassOn && running == nil)
        usesProxy = route == .proxy || route == .preload && settings.forwardsOtherHosts
        settings.listeners = [ListenerSpec(role: .any, address: SocketAddress(host: "127.0.0.1", port: 0))]
        settings.credentials.writesPortIntoServiceAccount = false
        self.settings = settings
        self.certificates = certificates
        self.running = running
        // Before the other files: if one of those can't be read, no report of an earlier run is left.
        reports = try ReportFile.files(options)
        seed = try SeedFile(options)
        expectations = try Self.expectations(options)
    }

    /// What to add to the line that says where pushes go: a gateway that runs may have other clients too.
    var warning: String {
        guard running != nil, expectations != nil || !reports.isEmpty else { return "" }
        return " Pushes that others send to it meanwhile count too; \"app\" in \"match\" limits an expectation."
    }

    private static func expectations(_ options: Options) throws(ExitFailure) -> ExpectationFile? {
        guard let path = try options.text("expect") else { return nil }
        return try ExpectationFile(path, try Send.read(path))
    }

    /// Starts the gateway, or finds the one that runs.
    func gateway(_ files: ExecFiles) throws(ExitFailure) -> ExecGateway {
        if let running {
            let gateway = try ExecGateway(running, apiToken: settings.apiToken)
            let topic = gateway.credentials.topic
            guard let wanted = settings.credentials.topic, wanted != topic else { return gateway }
            throw .usage(
                "--apns-topic (PUSHPIT_APNS_TOPIC) is '\(wanted)', but \(running.certificates) is for \(topic): leave the "
                    + "option out, or use a gateway with credentials for \(wanted)", .exec)
        }
        var settings = settings
        settings.certificates = certificates ?? files.credentials
        return try ExecGateway(settings, setUpBy: seed)
    }
}
