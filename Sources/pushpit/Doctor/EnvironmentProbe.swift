internal import EventLoop
internal import Gateway
internal import Glibc
internal import Inspection
internal import Platform
internal import PushCore
internal import Tracing

/// Collects what `pushpit doctor` says about this environment. Reads files and variables, and connects only to the
/// gateway that `--url` names.
enum EnvironmentProbe {
    /// How long to wait for the gateway, in milliseconds.
    private static let patience: UInt64 = 2000

    static func facts(_ options: Options, at now: Timestamp) throws(ExitFailure) -> EnvironmentFacts {
        let (url, address) = try Ready.gateway(options)
        let directory = try options.text("certs") ?? "certs"
        var facts = EnvironmentFacts(now: now, gateway: gateway(url, address))
        for name in EnvironmentFacts.variableNames {
            if let value = Options.processEnvironment(name), !value.isEmpty { facts.variables[name] = value }
        }
        facts.ownProxies = Set(EnvironmentFacts.proxies.filter { leads(facts.variables[$0], to: address) })
        for name in EnvironmentFacts.fileVariables {
            if let path = facts.variables[name] { facts.files[path] = file(path) }
        }
        facts.authority = (try? Files.read("\(directory)/ca.pem")) ?? nil
        facts.hosts = (try? Files.read("/etc/hosts")).flatMap { $0.map { String(decoding: $0, as: UTF8.self) } }
        facts.isInsideExec = facts.hosts.map(ExecFiles.isShownByExec) ?? false
        facts.newestFile = [Self.program, "\(directory)/ca.pem", "/etc/hosts"].compactMap(changed).max()
        facts.canTrace = SupervisedCommand.canRedirect()
        return facts
    }

    /// Whether the URL of a proxy, in which a user may be named, leads to this address.
    static func leads(_ proxy: String?, to address: SocketAddress) -> Bool {
        guard let rest = proxy?.split(separator: "@").last?.pieces(separatedBy: "://").last,
            let host = rest.split(separator: "/").first,
            let other = try? SocketAddress(lookingUp: String(host))
        else { return false }
        return other.port == address.port && (other.host == address.host || other.isLoopback && address.isLoopback)
    }

    private static let program = "/proc/self/exe"

    private static func file(_ path: String) -> EnvironmentFacts.File {
        do throws(Files.Failure) {
            return try Files.read(path).map { .content($0) } ?? .missing
        } catch { return .unreadable(error.description) }
    }

    private static func gateway(_ url: String, _ address: SocketAddress) -> EnvironmentFacts.Gateway {
        if Probe.isReady(address, timeout: patience) { return .init(url: url, state: .ready) }
        let isOpen = BlockingSocket(to: address, timeout: patience) != nil
        return .init(url: url, state: isOpen ? .otherProgram : .unreachable)
    }

    /// When a file was changed, in seconds since 1970.
    private static func changed(_ path: String) -> Int64? {
        var info = stat()
        guard unsafe stat(path, &info) == 0 else { return nil }
        return Int64(info.st_mtim.tv_sec)
    }
}
