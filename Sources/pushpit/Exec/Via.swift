/// How the command's pushes reach the gateway, as the user chooses it with `--via`.
enum Via: String, CaseIterable {
    case auto, trace, preload, proxy

    /// What the choice depends on.
    struct Circumstances {
        /// The address of a gateway that runs already; nil if `exec` starts one itself.
        var host: String?
        /// The command for messages.
        let command: String
        /// Finds out whether this system allows a supervisor.
        let canTrace: () -> Bool
        /// Finds out whether a library can be preloaded into the command.
        let canPreload: () -> Bool
    }

    /// The route to use, and a sentence for the user if it is not the best one.
    func route(in circumstances: Circumstances) throws(ExitFailure) -> (route: ExecRoute, notice: String?) {
        switch self {
        case .auto: return Self.best(circumstances)
        case .trace:
            if let reason = Self.reasonAgainstTrace(circumstances) { throw .unavailable("\(reason); use --via proxy") }
            return (.trace, nil)
        case .preload:
            if let reason = Self.reasonAgainst(circumstances.host) { throw .unavailable("\(reason); use --via proxy") }
            return (.preload, nil)
        case .proxy: return (.proxy, nil)
        }
    }

    private static func best(_ circumstances: Circumstances) -> (route: ExecRoute, notice: String?) {
        if let reason = reasonAgainst(circumstances.host) { return (.proxy, "\(reason), so \(onlyProxy)") }
        if circumstances.canTrace() { return (.trace, nil) }
        if circumstances.canPreload() {
            return (
                .preload,
                "\(noSupervisor), so a library is preloaded into programs. Programs that neither load "
                    + "the library nor honour HTTPS_PROXY connect to Apple and Google themselves: statically linked ones, "
                    + "for example, and those with the setuid bit."
            )
        }
        return (
            .proxy, "\(noSupervisor), and nothing can be preloaded into '\(circumstances.command)', so \(onlyProxy)"
        )
    }

    private static func reasonAgainstTrace(_ circumstances: Circumstances) -> String? {
        reasonAgainst(circumstances.host) ?? (circumstances.canTrace() ? nil : noSupervisor)
    }

    private static func reasonAgainst(_ host: String?) -> String? {
        guard let host, host != RunningGateway.tracedHost else { return nil }
        return "Connections can be redirected only to a gateway on \(RunningGateway.tracedHost), not on \(host)"
    }

    private static let noSupervisor =
        "No supervisor can run here: it needs seccomp user notification, Linux 5.14 or later, and no other pushpit exec "
        + "around it"
    private static let onlyProxy =
        "only programs that honour HTTPS_PROXY reach Pushpit: all others connect to Apple and Google themselves."
}

/// How the command's pushes reach the gateway.
enum ExecRoute: String {
    /// A supervisor changes look-ups, connections and CA bundles of every program.
    case trace
    /// A library does that in the programs that load it.
    case preload
    /// Variables name the gateway as HTTPS proxy.
    case proxy
}
