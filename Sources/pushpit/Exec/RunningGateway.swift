internal import Credentials
internal import EventLoop

/// The gateway that `exec --url` uses.
struct RunningGateway {
    let url: GatewayURL
    let address: SocketAddress
    /// The directory of its credentials.
    let certificates: String

    /// - Parameter certificates: the directory in `--certs`; nil if the option is not set.
    init(_ url: GatewayURL, certificates: String?, _ options: Options) throws(ExitFailure) {
        for name in Command.exec.options.map(\.name) where options.isGiven(name) {
            guard !Option.namesForRunningGateway.contains(name) else { continue }
            throw .usage(
                "--\(name) configures a gateway that exec starts, but \(options.label("url")) names one that runs: "
                    + "leave out one of the two", .exec)
        }
        guard let certificates else {
            throw .usage(
                "\(options.label("url")) names a gateway that runs: name the directory of its credentials with --certs",
                .exec)
        }
        self.url = url
        self.certificates = certificates
        address = try url.address(options)
    }

    /// Where a supervisor leads connections.
    static let tracedHost = "127.0.0.1"

    /// The credentials in its directory.
    static func credentials(
        in directory: String, of url: GatewayURL, apiToken: String?
    ) throws(ExitFailure) -> Credentials {
        do throws(Credentials.Problem) { return try Credentials.existing(in: directory) } catch {
            throw GatewayDirectory.failure(error, url, apiToken: apiToken)
        }
    }
}
