extension Option {
    /// Where a gateway listens, and how it starts and ends.
    static let startOptions: [Option] = [
        Option(
            name: "listen", value: "[role=]host:port",
            help: """
                The address and port to listen on; port 0 picks a free one. Roles: any, apns, apns-sandbox, fcm. Replaces \
                the default.
                """,
            defaultValue: "127.0.0.1:2197", isList: true, commands: [.serve]),
        Option(
            name: "certs", value: "dir", help: "The directory of keys and certificates.", defaultValue: "certs",
            commands: [.serve, .initialize, .env, .send]),
        Option(
            name: "ready-file", value: "file",
            help: """
                Write this file as soon as connections are accepted, and remove it at the end: JSON with the URLs, the \
                process id, the version, and the path of pushpit.json.
                """,
            commands: [.serve]),
        Option(
            name: "exit-on-stdin-eof", value: "switch",
            help: """
                End when standard input ends. A program that starts the gateway with a pipe as its standard input thereby \
                takes it along when it ends, even if it is killed.
                """,
            values: ["on", "off"], defaultValue: "off", isFlag: true, commands: [.serve]),
    ]
}
