internal import APNs
internal import FCM
internal import PushCore

/// One row per flag; its environment twin is the name in capitals behind `PUSHPIT_`.
struct Option {
    let name: String
    let value: String
    let help: String
    /// What it may be, where that is a closed list.
    var values: [String] = []
    var fallback: String?
    /// May be given several times; its environment twin takes commas.
    var isList = false
    /// On where no `on` or `off` stands behind it.
    var isFlag = false
    let commands: [Command]

    var environmentName: String {
        "PUSHPIT_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    private static func others<Choice: PolicyChoice>(of type: Choice.Type) -> String {
        type.allCases.map { "\($0.rawValue)=\($0.values.other)" }.joined(separator: ", ")
    }

    static let table: [Option] = [
        Option(
            name: "listen", value: "[role=]host:port",
            help: """
                Where to listen: an address and a port, 0 for a free one. Roles: any, apns, apns-sandbox, fcm. Replaces the \
                default.
                """,
            fallback: "127.0.0.1:2197", isList: true, commands: [.serve]),
        Option(
            name: "certs", value: "dir", help: "The directory of keys and certificates.", fallback: "certs",
            commands: [.serve, .initialize, .send]),
        Option(
            name: "auth", value: "policy",
            help: """
                Whom to believe: nobody is asked (off), tokens must be well-formed and fresh and known keys' \
                signatures good (lenient), or only known keys are taken (strict).
                """,
            values: ["off", "lenient", "strict"], fallback: "lenient", commands: [.serve]),
        Option(
            name: "apns-key", value: "file:keyid:teamid", help: "A further key that providers sign with.",
            isList: true, commands: [.serve]),
        Option(
            name: "apns-environment", value: "name", help: "What every host but Apple's sandbox names means.",
            values: ["production", "sandbox"], fallback: "production", commands: [.serve]),
        Option(
            name: "validation", value: "profile",
            help: "What refuses a push: what a phone could not use too (strict), or the real service's checks alone.",
            values: ["strict", "service"], fallback: "strict", commands: [.serve, .check]),
        Option(
            name: "token-update-interval", value: "duration",
            help: "How long a connection has to keep its provider token before it may send another.",
            fallback: "20m", commands: [.serve]),
        Option(
            name: "background-priority", value: "policy",
            help: "What a background push of priority 10 gets: a finding, or BadPriority.",
            values: ["accept", "reject"], fallback: "accept", commands: [.serve]),
        Option(
            name: "apns-spelling", value: "source",
            help: "How reasons are spelled where Apple's documentation differs from the wire.",
            values: ["wire", "documented"], fallback: "wire", commands: [.serve]),
        Option(
            name: "apns-choice", value: "name=value",
            help: """
                Another answer where Apple's is not known or documented otherwise: \
                \(others(of: APNsChoice.self)).
                """,
            isList: true, commands: [.serve]),
        Option(
            name: "fcm-choice", value: "name=value",
            help: "Another answer where Google's is not known: \(others(of: FCMChoice.self)).", isList: true,
            commands: [.serve]),
        Option(
            name: "quotas", value: "switch",
            help: """
                Whether Google's rates hold (real): 600,000 requests a minute and 3,000 changes of topics a second for a \
                project; 240 messages a minute, 5,000 an hour and 20 that replace each other for a device.
                """,
            values: ["off", "real"], fallback: "off", commands: [.serve]),
        Option(
            name: "test-endpoints", value: "switch",
            help: "A socket at /devices/echo that sends back what it gets, for tests of WebSocket itself.",
            values: ["on", "off"],
            fallback: "off", isFlag: true, commands: [.serve]),
        Option(
            name: "unknown-devices", value: "policy",
            help: "What a push to an unknown token does: make a device, or get refused.",
            values: ["accept", "reject"], fallback: "accept", commands: [.serve]),
        Option(
            name: "unregister-delay", value: "duration",
            help: "How long after an app has gone its device is first answered 410.", fallback: "0s",
            commands: [.serve]),
        Option(
            name: "unregister-pushes", value: "count",
            help: "How many pushes are lost before a device whose app has gone is answered 410.", fallback: "0",
            commands: [.serve]),
        Option(
            name: "api-token", value: "token",
            help: "The bearer token for our own pages; needed on a listener that is not loopback.",
            commands: [.serve, .device, .expect]),
        Option(
            name: "allow-host", value: "name", help: "A further host name for our own pages.", isList: true,
            commands: [.serve]),
        Option(
            name: "first-streams", value: "count",
            help: "Streams an apns connection may open before its first good push.", fallback: "1",
            commands: [.serve]),
        Option(
            name: "streams", value: "count", help: "Streams an apns or any connection may open.",
            fallback: "1000", commands: [.serve]),
        Option(
            name: "fcm-streams", value: "count", help: "Streams an fcm connection may open.", fallback: "100",
            commands: [.serve]),
        Option(
            name: "stream-drop", value: "switch", help: "Go back to --first-streams after a refusal.",
            values: ["on", "off"], fallback: "on", commands: [.serve]),
        Option(
            name: "overlong-fields", value: "answer",
            help: "What an APNs request with more than 8,000 octets of fields gets: a reset stream, or status 431.",
            values: ["reset", "431"], fallback: "reset", commands: [.serve]),
        Option(
            name: "data", value: "dir",
            help: """
                Where devices, pushes and reports are kept, so that they are there after a restart; a push is answered when it is on \
                the disk. Without it everything is in memory.
                """,
            commands: [.serve]),
        Option(
            name: "keep-messages", value: "count",
            help: "Pushes that are kept, with four events each; the oldest are forgotten.", fallback: "10000",
            commands: [.serve]),
        Option(
            name: "keep-mib", value: "count", help: "MiB of requests that are kept with them.", fallback: "64",
            commands: [.serve]),
        Option(
            name: "keep-for", value: "duration",
            help: "How long events are kept by the gateway's clock; without it until there are too many.",
            commands: [.serve]),
        Option(
            name: "head-timeout", value: "duration",
            help: "How long a TLS handshake and the head of a request may take.", fallback: "10s",
            commands: [.serve]),
        Option(
            name: "stall-timeout", value: "duration",
            help: "How long a peer may neither send of its request nor take of its answer.", fallback: "30s",
            commands: [.serve]),
        Option(
            name: "keep-alive-timeout", value: "duration",
            help: "How long an HTTP/1.1 connection is kept between requests.", fallback: "75s",
            commands: [.serve]),
        Option(
            name: "heartbeat", value: "duration",
            help: "How long a device socket may be silent before it is pinged; it is closed after twice as long.",
            fallback: "30s", commands: [.serve]),
        Option(
            name: "drain-timeout", value: "duration",
            help: "How long open connections may take to end after SIGTERM.", fallback: "5s", commands: [.serve]),
        Option(
            name: "log", value: "format", help: "How log lines look.", values: ["text", "json"], fallback: "text",
            commands: [.serve]),
        Option(
            name: "log-level", value: "level", help: "The least that is logged.",
            values: ["debug", "info", "warning", "error", "none"], fallback: "info", commands: [.serve]),
        Option(
            name: "to", value: "token",
            help:
                "The device token, in hex; with an FCM message its registration token, instead of the message's own target.",
            commands: [.send]),
        Option(
            name: "topic", value: "topic",
            help: """
                The app's topic; else the payload's Simulator Target Bundle, else that of the credentials. With an FCM message \
                the topic to send to.
                """,
            commands: [.send]),
        Option(
            name: "project", value: "id", help: "The project of an FCM message; else that of the service account.",
            commands: [.send]),
        Option(
            name: "dry-run", value: "switch", help: "Have an FCM message checked and not delivered.",
            values: ["on", "off"],
            fallback: "off", isFlag: true, commands: [.send]),
        Option(
            name: "type", value: "type", help: "The push type, like alert or background.", commands: [.send, .check]),
        Option(name: "priority", value: "number", help: "10, 5 or 1.", commands: [.send]),
        Option(name: "collapse-id", value: "id", help: "What the push replaces on the device.", commands: [.send]),
        Option(name: "expiration", value: "seconds", help: "Until when it is stored, since 1970.", commands: [.send]),
        Option(
            name: "sandbox", value: "switch", help: "Ask for Apple's sandbox by its name.", values: ["on", "off"],
            fallback: "off", isFlag: true, commands: [.send]),
        Option(
            name: "platform", value: "name", help: "What it is.", values: ["ios", "android", "web"], fallback: "ios",
            commands: [.device]),
        Option(
            name: "app", value: "id", help: "The app on it: a bundle id, a package or a site.",
            fallback: "com.example.app",
            commands: [.device]),
        Option(
            name: "id", value: "id", help: "A device that is there already, or the new one's own name for itself.",
            commands: [.device]),
        Option(
            name: "extension", value: "script", help: "What its Notification Service Extension does (iOS).",
            values: ["none", "firebase", "adobe", "echo", "slow", "crash"], fallback: "none", commands: [.device]),
        Option(
            name: "tracking", value: "profile", help: "What the app on it reports, and to whom.",
            values: ["none", "adobe"], fallback: "none",
            commands: [.device]),
        Option(
            name: "count", value: "number", help: "So many: met at the last of them, failed where there are more.",
            commands: [.expect]),
        Option(
            name: "at-least", value: "number", help: "So many or more; 1 where nothing is said.", commands: [.expect]),
        Option(
            name: "at-most", value: "number", help: "No more than so many, until the time is up.", commands: [.expect]),
        Option(
            name: "never", value: "switch", help: "None until the time is up.", values: ["on", "off"], fallback: "off",
            isFlag: true,
            commands: [.expect]),
        Option(name: "within", value: "duration", help: "How long to wait.", fallback: "5s", commands: [.expect]),
        Option(
            name: "format", value: "format",
            help: "How the list looks; fcm-fields is the schema of FCM's messages instead.",
            values: ["text", "markdown", "fcm-fields"],
            fallback: "text", commands: [.rules]),
        Option(
            name: "json", value: "switch", help: "The list as JSON.", values: ["on", "off"], fallback: "off",
            isFlag: true, commands: [.rules]),
        Option(
            name: "json", value: "switch", help: "The verdict as JSON.", values: ["on", "off"], fallback: "off",
            isFlag: true,
            commands: [.expect]),
        Option(
            name: "json", value: "switch", help: "Each frame of the gateway as one line of JSON, for scripts.",
            values: ["on", "off"],
            fallback: "off", isFlag: true, commands: [.device]),
        Option(
            name: "url", value: "address", help: "The gateway to send to, as https://host:port or http://host:port.",
            fallback: "https://127.0.0.1:2197", commands: [.send]),
        Option(
            name: "url", value: "address", help: "The gateway to ask, as http://host:port or https://host:port.",
            fallback: "http://127.0.0.1:2197", commands: [.expect, .ready]),
        Option(
            name: "url", value: "address",
            help: "The gateway whose phone it is, as http://host:port or https://host:port.",
            fallback: "http://127.0.0.1:2197", commands: [.device]),
        Option(
            name: "wait", value: "duration", help: "How long to wait for it.", fallback: "10s", commands: [.ready]),
    ]
}
