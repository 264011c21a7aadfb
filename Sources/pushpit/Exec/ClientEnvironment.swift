internal import Credentials
internal import EventLoop
internal import Platform
internal import Preload
internal import PushCore

/// What programs need to reach a gateway: variables, and the files that these name.
struct ClientEnvironment {
    let credentials: Credentials
    let files: ExecFiles
    /// The URL of the gateway's own pages.
    let url: String
    let address: SocketAddress
    let apiToken: String?
    let route: ExecRoute
    /// Whether HTTPS_PROXY names the gateway.
    let usesProxy: Bool

    /// The names of all variables that it can set.
    static let names = GatewayVariables.names + TrustVariables.names + RouteVariables.names

    /// Writes the files.
    ///
    /// - Parameter inherited: the variables without those of Pushpit.
    /// - Returns: the variables with those of Pushpit, and what the user should know about them.
    func write(_ inherited: Variables) throws(ExitFailure) -> (variables: Variables, warnings: [String]) {
        var writer = ExecWriter(files: files, credentials: credentials, inherited: inherited)
        do throws(ExecWriter.Problem) { try writer.write(url: url, withHosts: route == .trace) } catch {
            throw ExitFailure(code: 74, message: error.description)
        }
        var variables = inherited
        GatewayVariables(credentials: credentials, files: files, url: url, apiToken: apiToken).set(in: &variables)
        TrustVariables(
            files: files, authority: credentials.path("ca.pem"), hasTrustStore: writer.hasTrustStore
        ).set(in: &variables)
        RouteVariables(
            usesProxy: usesProxy, gateway: address, apiToken: apiToken, hasJava: writer.hasTrustStore
        ).set(in: &variables)
        if route == .preload {
            try writeLibrary()
            PreloadVariables(files: files, authority: credentials.path("ca.pem"), port: address.port).set(
                in: &variables)
        }
        return (variables, writer.warnings)
    }

    /// Writes the library that programs load. Without it, pushes would go to Apple and Google, so it is tried here.
    private func writeLibrary() throws(ExitFailure) {
        guard PreloadVariables.canName(files.library) else {
            throw ExitFailure(
                code: 73,
                message:
                    "LD_PRELOAD can't name '\(files.library.onOneLine)': set TMPDIR to a path without spaces and colons"
            )
        }
        do throws(Files.Failure) {
            try Files.write(PreloadedLibrary.bytes, to: files.library, mode: 0o700, isLasting: false)
        } catch { throw ExitFailure(code: 74, message: "\(error)") }
        if let problem = PreloadedLibrary.problem(files.library) {
            throw ExitFailure(
                code: 73,
                message: "no program can load the preloaded library (\(problem.onOneLine)): set TMPDIR to another "
                    + "directory, or use --via proxy")
        }
    }
}
