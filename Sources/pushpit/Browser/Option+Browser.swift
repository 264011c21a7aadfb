extension Option {
    /// The options of `browser` alone.
    static let browserOptions: [Option] = [
        Option(
            name: "url", value: "address",
            help: """
                The gateway that runs at http://host:port or https://host:port. By default the one at \
                \(BrowserGateway.usualURL) or, if none runs there, a new one on a free port, which ends with the browser.
                """,
            commands: [.browser]),
        Option(
            name: "certs", value: "dir",
            help: """
                The directory of the gateway's keys and certificates. By default the one that a gateway on this machine \
                names; for a new gateway they are made and deleted.
                """,
            commands: [.browser]),
        Option(
            name: "headless", value: "switch", help: "Open no window.", values: ["on", "off"], defaultValue: "off",
            isFlag: true, commands: [.browser]),
        Option(
            name: "profile", value: "dir",
            help: "The directory of the browser's profile, which is kept. By default a new one, which is deleted.",
            commands: [.browser]),
        Option(
            name: "program", value: "file", help: "The browser's program, if it is not the one in PATH.",
            commands: [.browser]),
    ]
}
