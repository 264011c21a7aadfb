/// How the command's pushes reach the gateway, as the user chooses it with `--via`.
enum Via: String, CaseIterable {
    case auto, trace, proxy

    /// The way, and a sentence for the user if it is not the best one.
    ///
    /// - Parameter canTrace: tries whether this system allows a supervisor.
    func route(canTrace: () -> Bool) throws(ExitFailure) -> (route: ExecRoute, notice: String?) {
        switch self {
        case .auto:
            canTrace()
                ? (.trace, nil)
                : (
                    .proxy,
                    "\(Self.reason), so only programs that honour HTTPS_PROXY reach Pushpit: all others connect to Apple and Google themselves."
                )
        case .trace where !canTrace(): throw .unavailable("\(Self.reason); use --via proxy")
        case .trace: (.trace, nil)
        case .proxy: (.proxy, nil)
        }
    }

    private static let reason =
        "This system allows no supervisor, which needs seccomp user notification and Linux 5.14 or later"
}

/// How the command's pushes reach the gateway.
enum ExecRoute: String {
    /// A supervisor changes look-ups, connections and CA bundles of every program.
    case trace
    /// Variables name the gateway as HTTPS proxy.
    case proxy
}
