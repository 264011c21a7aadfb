extension Option {
    /// Where a gateway listens, and how it starts and ends.
    static let startOptions: [Option] = [
        Option(
            name: "listen", value: "[role=]host:port",
            help: """
                The address and port to listen on; port 0 picks a free one. Roles: any, apns, apns-sandbox, fcm, mcs. Replaces \
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
                End when standard input ends. If a program starts the gateway with a pipe as its standard input, the \
                gateway ends with that program, even if the program is killed.
                """,
            values: ["on", "off"], defaultValue: "off", isFlag: true, commands: [.serve]),
        Option(
            name: "server-name", value: "name",
            help: """
                A host name or address under which other machines and containers reach the gateway. The server's \
                certificate gets it, requests under it are allowed, and the first one is the host in the service account's \
                token_uri.
                """,
            isList: true, commands: [.serve, .initialize]),
        Option(
            name: "apns-topic", value: "bundle",
            help: """
                The bundle id that the APNs client certificate is made for. If the directory already has a client \
                certificate, it must be for this bundle id. The default is the bundle id of that certificate, or \
                com.example.app.
                """,
            commands: [.serve, .initialize, .exec]),
        Option(
            name: "share-credentials", value: "switch",
            help: """
                Let every user of this machine read the keys of senders and the file of the API token. It is for \
                containers that share the directory and run as other users.
                """,
            values: ["on", "off"], defaultValue: "off", isFlag: true, commands: [.serve, .initialize]),
    ]
}
