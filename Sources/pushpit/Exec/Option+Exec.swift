extension [Command] {
    /// The commands that run a gateway.
    static var gateways: [Command] { [.serve, .exec] }
}

extension Option {
    /// The options of `exec` that make sense for a gateway that runs already.
    static let namesForRunningGateway: Set = [
        "via", "expect", "report", "url", "certs", "api-token", "api-token-file", "apns-topic",
    ]

    /// The options of `exec` that `serve` does not have, or has with another default.
    static let execOptions: [Option] = [
        Option(
            name: "via", value: "way",
            help: """
                How the command's pushes reach the gateway: a supervisor changes look-ups, connections and CA bundles of \
                every program (trace), a preloaded library does so in dynamically linked programs (preload), or variables \
                name the gateway as HTTPS proxy (proxy). auto is the first of these that works for the command.
                """,
            values: Via.allCases.map(\.rawValue), defaultValue: Via.auto.rawValue, commands: [.exec]),
        Option(
            name: "proxy-pass", value: "switch",
            help: """
                With --via proxy, forward connections to all other hosts: through the proxy in HTTPS_PROXY, or \
                directly if that is not set or the host is in NO_PROXY. Otherwise they are refused.
                """,
            values: ["on", "off"], defaultValue: "on", isFlag: true, commands: [.exec]),
        Option(
            name: "expect", value: "file",
            help: """
                A JSON list of what POST /api/v1/expect takes, checked after the command has ended. If one is not met, \
                the exit code is 1 instead of 0. An expectation without "within" does not wait.
                """,
            commands: [.exec]),
        Option(
            name: "report", value: "format=file",
            help: """
                Write how the command ended, what was pushed and which expectations are not met into a file: as JSON, \
                or as XML in JUnit's format. The value may be two words: --report json FILE.
                """,
            values: ReportFile.Format.allCases.map(\.rawValue), isList: true, isPair: true, commands: [.exec]),
        Option(
            name: "url", value: "address",
            help: """
                Use the gateway that runs at http://host:port or https://host:port, instead of starting one. It needs \
                --certs with the directory of that gateway. Only pushes made after exec has started count.
                """,
            commands: [.exec]),
        Option(
            name: "certs", value: "dir",
            help: "The directory of keys and certificates. By default they are made for each run, and deleted.",
            commands: [.exec]),
        Option(
            name: "log-level", value: "level", help: "The lowest level that the gateway logs.",
            values: ["debug", "info", "warning", "error", "none"], defaultValue: "warning", commands: [.exec]),
    ]
}
