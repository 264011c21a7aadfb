internal import Credentials
internal import EventLoop
internal import PushCore
internal import PushpitClient

/// The gateway that `exec --url` uses.
struct RunningGateway {
    let url: GatewayURL
    let address: SocketAddress
    /// The directory of its credentials.
    let certificates: String

    /// - Parameter certificates: the directory in `--certs`; nil if the option is not set.
    init(_ url: GatewayURL, certificates: String?, _ options: Options) throws(ExitFailure) {
        address = try url.address(options)
        for name in Command.exec.options.map(\.name) where options.isGiven(name) {
            guard !Option.namesForRunningGateway.contains(name) else { continue }
            throw .usage(
                "--\(name) configures a gateway that exec starts, but \(options.label("url")) names one that runs: "
                    + "leave out one of the two", .exec)
        }
        let label = options.label("url")
        remedy =
            ", which \(label) names; start a gateway there with 'pushpit', or leave out \(label), and exec starts one itself"
        if try options.text("seed") != nil, label.hasPrefix("PUSHPIT") || !options.isGiven("seed") {
            printError("pushpit: \(options.label("seed")) is not used, because \(label) names a gateway that runs.")
        }
        guard let certificates else {
            let directory = GatewayDirectory.ask(address, apiToken: try options.apiToken())
            if directory == .unknown { throw .unavailable("no gateway answers at \(url.text)\(remedy)") }
            let remedy = directory.remedy(url.text)
            throw .usage(
                "\(options.label("url")) names a gateway that runs, so exec needs its credentials: \(remedy)", .exec)
        }
        self.url = url
        self.certificates = certificates
    }

    /// What to do if no gateway listens there, as the end of a sentence.
    let remedy: String

    /// Where a supervisor leads connections.
    static let tracedHost = "127.0.0.1"

    /// Throws if the gateway does not have these credentials and names a directory with others. Returns if it does not
    /// answer, or if its host cannot be looked up or verified here.
    static func check(_ credentials: Credentials, of url: GatewayURL, apiToken: String?) throws(ExitFailure) {
        guard let address = try? url.address(),
            (try? BlockingClient.check(address, trusting: credentials.authority)) == nil
        else { return }
        let directory = GatewayDirectory.ask(address, apiToken: apiToken)
        guard case .named(let path) = directory, GatewayDirectory.authority(in: path) != credentials.authority else {
            return
        }
        throw .badConfiguration(
            "the gateway at \(url.text) does not have the credentials in \(credentials.directory.onOneLine): "
                + "\(directory.remedy(url.text)). If it is not yours, name your gateway with --url")
    }

    /// The credentials in its directory.
    static func credentials(
        in directory: String, of url: GatewayURL, apiToken: String?
    ) throws(ExitFailure) -> Credentials {
        do throws(Credentials.Problem) { return try Credentials.existing(in: directory) } catch {
            throw GatewayDirectory.failure(error, url, apiToken: apiToken)
        }
    }
}
