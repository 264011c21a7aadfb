internal import APNs
internal import Credentials
internal import Devices
internal import EventLoop
internal import FCM
internal import Gateway
internal import Glibc
internal import Platform
internal import PushCore

/// `pushpit serve`: runs the gateway.
enum Serve {
    /// Prepares this process for a gateway, and makes one that does not run yet.
    static func server(
        _ configuration: Configuration, setUpBy seed: SeedFile? = nil, _ log: Log
    ) throws(ExitFailure) -> Server {
        Heap.configure()
        signal(SIGPIPE, SIG_IGN)
        let server: Server
        do throws(Server.Problem) {
            server = try Server(configuration, log: log, clock: .system, seed: UInt64.random(in: .min ... .max))
        } catch {
            throw failure(error)
        }
        try seed?.apply(to: server.gateway)
        return server
    }

    static func run(_ options: Options) throws(ExitFailure) {
        let configuration = try configuration(options)
        let seed = try SeedFile(options)
        let isDemo = try DemoSetup.isWanted(options, with: seed)
        DescriptorLimit.raise()
        let log = log(configuration)
        var readyFile = ReadyFile(try options.text("ready-file"))
        let server = try server(configuration, setUpBy: seed, log)
        if isDemo { try DemoSetup.apply(to: server.gateway) }
        for (name, remedy) in UnknownVariables.find(in: UnknownVariables.processNames(), for: .serve) {
            log(
                .warning, "unknown variable", at: server.gateway.clock.now,
                ["name": name, "because": "no option of Pushpit reads it; \(remedy)"])
        }
        let endsWithInput = try options.choice("exit-on-stdin-eof", Switch.self) == .on
        do throws(LoopError) {
            try server.watchSignals()
            if endsWithInput { try endWithStandardInput(server) }
        } catch { throw .unavailable("\(error)") }
        try readyFile?.write(for: server)
        defer { readyFile?.remove() }
        greet(for: server, configuration.logFormat, tokenFile: try options.apiTokenFile())
        server.run()
    }

    /// - Parameter usesProxy: whether clients may use the gateway as a proxy.
    static func configuration(_ options: Options, usesProxy: Bool = true) throws(ExitFailure) -> Configuration {
        var configuration = Configuration()
        configuration.apiToken = try options.apiToken()
        configuration.listeners = try listeners(options, hasToken: configuration.apiToken != nil)
        configuration.certificates = try options.text("certs") ?? configuration.certificates
        if options.command == .serve { configuration.credentials = try CredentialOptions.needs(options) }
        configuration.credentials.topic = try CredentialOptions.topic(options)
        configuration.apns.auth = try options.choice("auth", APNsPolicy.Auth.self)
        configuration.apns.validation = try options.choice("validation", APNsPolicy.Validation.self)
        configuration.apns.environment = try options.choice("apns-environment", PushEnvironment.self)
        configuration.apns.tokenUpdateInterval = Int64(try options.duration("token-update-interval"))
        configuration.apns.backgroundPriority = try options.choice(
            "background-priority", APNsPolicy.BackgroundPriority.self)
        configuration.apns.usesDocumentedSpelling = try options.choice("apns-spelling", Spelling.self) == .documented
        configuration.apns.choices = try choices(options, "apns-choice", options.list("apns-choice"))
        let fcm = options.list("fcm-choice")
        configuration.fcmAnswers = fcm.compactMap(RecordedAnswer.named)
        configuration.fcmChoices = try choices(options, "fcm-choice", fcm.filter { RecordedAnswer.named($0) == nil })
        configuration.hasTestEndpoints = try options.choice("test-endpoints", Switch.self) == .on
        configuration.enforcesQuotas = try options.choice("quotas", Quotas.self) == .real
        configuration.apnsKeys = try keys(options)
        configuration.unregisterRule = UnregisterRule(
            delay: Int64(try options.duration("unregister-delay")),
            pushes: Int(try options.number("unregister-pushes", 0...1_000_000)))
        configuration.apns.acceptsUnknownDevices = try options.choice("unknown-devices", Acceptance.self) == .accept
        configuration.allowedHosts = try CredentialOptions.hostNames("allow-host", options)
        configuration.allowedOrigins = try allowedOrigins(options)
        configuration.forwardsOtherHosts = try options.choice("proxy-pass", Switch.self) == .on && usesProxy
        if configuration.forwardsOtherHosts { configuration.upstreamProxy = try upstreamProxy(.ofThisProcess) }
        configuration.initialStreamLimit = try options.number("first-streams", 1...streamLimit)
        configuration.streamLimit = try options.number("streams", 1...streamLimit)
        configuration.fcmStreamLimit = try options.number("fcm-streams", 1...streamLimit)
        configuration.limitsStreamsAfterRefusal = try options.choice("stream-drop", Switch.self) == .on
        configuration.resetsOversizedHeaders = try options.choice("overlong-fields", OverlongFields.self) == .reset
        configuration.headTimeout = try options.duration("head-timeout")
        configuration.stallTimeout = try options.duration("stall-timeout")
        configuration.keepAliveTimeout = try options.duration("keep-alive-timeout")
        configuration.heartbeat = try options.duration("heartbeat")
        configuration.drainTimeout = try options.duration("drain-timeout")
        configuration.turnTime = try options.duration("turn-time")
        configuration.outgoing = try outgoing(
            options, isLocal: configuration.listeners.allSatisfy(\.address.isLoopback))
        configuration.data = try options.text("data")
        configuration.logCapacity = 4 * Int(try options.number("keep-messages", 1...1_000_000))
        configuration.logByteCapacity = Int(try options.number("keep-mib", 1...65_536)) << 20
        configuration.eventLifetime = try options.optionalDuration("keep-for").map { Int64($0) }
        configuration.logFormat = try options.choice("log", Log.Format.self)
        configuration.logLevel = try options.choice("log-level", Log.Level.self)
        return configuration
    }

    /// Parses `NAME=VALUE` options, where each name has two values. Returns the names that got the alternative value.
    private static func choices<Choice: PolicyChoice>(
        _ options: Options, _ option: String, _ texts: [String]
    ) throws(ExitFailure) -> Set<Choice> {
        var found: Set<Choice> = []
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let choice = Choice(rawValue: parts[0]) else {
                let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                let answers = Choice.self == FCMChoice.self ? ", or the id of a recorded answer" : ""
                throw options.invalid(
                    option, text,
                    "must be NAME=VALUE\(answers); the names are \(names)\(hint(Choice.self, near: text))")
            }
            let (standard, other) = choice.values
            guard parts[1] == standard || parts[1] == other else {
                throw options.invalid(option, text, "must be \(parts[0])=\(standard) or \(parts[0])=\(other)")
            }
            if parts[1] == other { found.insert(choice) } else { found.remove(choice) }
        }
        return found
    }

    /// The maximum number of concurrent streams on a connection.
    private static let streamLimit: UInt32 = 2048

    private static func keys(_ options: Options) throws(ExitFailure) -> [KeyFile] {
        var found: [KeyFile] = []
        for text in options.list("apns-key") {
            guard let key = KeyFile(parsing: text) else {
                throw options.invalid(
                    "apns-key", text, "must be FILE:KEYID:TEAMID, like AuthKey.p8:ABC123DEFG:DEF123GHIJ")
            }
            found.append(key)
        }
        return found
    }

    private static func listeners(_ options: Options, hasToken: Bool) throws(ExitFailure) -> [ListenerSpec] {
        var found: [ListenerSpec] = []
        for text in options.list("listen") {
            let spec: ListenerSpec
            do throws(SocketAddress.LookupFailure) { spec = try listener(text) } catch {
                throw options.invalid(
                    "listen", text, "\(error.reason): write it like 2197, 127.0.0.1:2197 or apns=[::1]:443")
            }
            guard spec.address.port == 0 || !found.contains(where: { $0.address == spec.address }) else {
                throw options.invalid("listen", text, "is given twice, but a listener has only one role")
            }
            guard hasToken || spec.address.isLoopback else {
                throw options.invalid(
                    "listen", "\(spec.address)",
                    """
                    is not a loopback address: set --api-token or --api-token-file to protect the gateway's own pages \
                    and APIs
                    """)
            }
            found.append(spec)
        }
        return found
    }

    private static func listener(_ text: String) throws(SocketAddress.LookupFailure) -> ListenerSpec {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count < 2 || ListenerSpec(parsing: "\(parts[0])=0") != nil else {
            throw SocketAddress.LookupFailure(
                reason: "has an unknown role; the roles are any, apns, apns-sandbox, fcm, mcs")
        }
        let address = try SocketAddress(lookingUp: ListenerSpec.withHost(String(parts[parts.count - 1])))
        guard let spec = ListenerSpec(parsing: text, { _ in address }) else {
            preconditionFailure("'\(text)' has a known role and an address")
        }
        return spec
    }

    static func failure(_ problem: Server.Problem) -> ExitFailure {
        switch problem {
        case .credentials(let problem): .badConfiguration(problem.description)
        case .listen(let error) where error.isAddressInUse:
            .unavailable(
                (SocketAddress(parsing: error.subject).map { GatewayDirectory.ask($0, apiToken: nil) } ?? .unknown)
                    .sentence(aboutListeningOn: error.subject))
        case .listen(let error): .unavailable(error.description)
        case .store(let error): ExitFailure(code: 74, message: "\(error); see --data")
        }
    }
}
