internal import Credentials
internal import EventLoop
internal import Glibc
internal import Platform

/// `pushpit env`: prints what `exec --via proxy` sets, for a gateway that runs.
enum Env {
    /// The directory of the files that the variables name, in the directory of credentials.
    private static let folder = "env"

    /// docs/clients.md says of each client whether it honours the variable.
    static let warning =
        "pushpit: Some clients, such as aioapns and the asynchronous calls of firebase-admin for Python, ignore HTTPS_PROXY "
        + "and would reach Apple and Google: run them with 'pushpit exec --url'."

    static func run(_ options: Options) throws(ExitFailure) {
        let isDotenv = try options.choice("dotenv", Switch.self) == .on
        do throws(ExitFailure) { try print(options, isDotenv: isDotenv) } catch {
            // `eval "$(pushpit env)"` would otherwise succeed.
            if !isDotenv { _ = Files.writeAll(Array("false\n".utf8), 1) }
            throw error
        }
    }

    private static func print(_ options: Options, isDotenv: Bool) throws(ExitFailure) {
        guard let url = try GatewayURL(options) else { throw .usage("--url is needed", .env) }
        let apiToken = try options.apiToken()
        let directory = try options.text("certs") ?? "certs"
        let credentials = try RunningGateway.credentials(in: Files.absolute(directory), of: url, apiToken: apiToken)
        try RunningGateway.check(credentials, of: url, apiToken: apiToken)
        let files = ExecFiles(directory: credentials.path(folder))
        do throws(Files.Failure) { try Files.makeDirectory(files.directory) } catch {
            throw ExitFailure(code: 74, message: "\(error)")
        }
        let environment = ClientEnvironment(
            credentials: credentials, files: files, url: url.text, address: url.unresolved, apiToken: apiToken,
            route: .proxy, usesProxy: true)
        let (variables, warnings) = try environment.write(.ofThisProcess)
        let lines = try EnvText.lines(
            ClientEnvironment.names.map { ($0, variables[$0]) }, isDotenv ? EnvText.dotenv : EnvText.shell)
        (warnings + [warning]).forEach(printError)
        // Not `printOutput`, which escapes characters for terminals: a shell would not undo that.
        let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        guard Files.writeAll(bytes, 1) else { throw ExitFailure(code: 74, message: "cannot write to standard output") }
    }
}
