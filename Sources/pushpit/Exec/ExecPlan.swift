internal import EventLoop
internal import Gateway
internal import Platform
internal import Tracing

/// What the options of `exec` ask for. Everything that the user can get wrong is checked here, before anything starts.
struct ExecPlan {
    let command: ExecCommand
    let route: ExecRoute
    let expectations: ExpectationFile?
    /// The variables that the command gets, without those of Pushpit.
    let variables: Variables
    let settings: Configuration
    /// What the user should know about the way.
    let notice: String?
    private let certificates: String?

    init(_ options: Options) throws(ExitFailure) {
        guard !options.operands.isEmpty else {
            throw .usage("exec needs a command to run: pushpit exec [options] -- COMMAND [ARGUMENT ...]", .exec)
        }
        command = ExecCommand.ofThisProcess(lastArguments: options.operands.count)
        certificates = try options.text("certs").map(Files.absolute)
        let (route, notice) = try options.choice("via", Via.self).route(canTrace: SupervisedCommand.canRedirect)
        var settings = try Serve.configuration(options, usesProxy: route == .proxy)
        settings.listeners = [ListenerSpec(role: .any, address: SocketAddress(host: "127.0.0.1", port: 0))]
        settings.namesPort = false
        self.settings = settings
        expectations = try Self.expectations(options)
        self.route = route
        variables = Variables.ofThisProcess
        self.notice = notice
    }

    private static func expectations(_ options: Options) throws(ExitFailure) -> ExpectationFile? {
        guard let path = try options.text("expect") else { return nil }
        return try ExpectationFile(path, try Send.read(path))
    }

    /// The settings with the directory of credentials.
    func configuration(_ files: ExecFiles) -> Configuration {
        var settings = settings
        settings.certificates = certificates ?? files.credentials
        return settings
    }
}
