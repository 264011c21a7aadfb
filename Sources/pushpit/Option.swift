internal import APNs
internal import FCM
internal import PushCore

/// An option of one or more commands. Its environment variable is `PUSHPIT_` and the name in capital letters.
struct Option {
    let name: String
    /// The placeholder of the value.
    let value: String
    let help: String
    /// The allowed values; empty if there is no fixed list.
    var values: [String] = []
    var defaultValue: String?
    /// Whether it may be repeated; its environment variable takes a list with commas.
    var isList = false
    /// Whether the value may be left out, which means `on`.
    var isFlag = false
    let commands: [Command]

    var environmentName: String {
        "PUSHPIT_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// The `NAME=VALUE` pairs that select the alternative answers.
    private static func alternatives<Choice: PolicyChoice>(of type: Choice.Type) -> String {
        type.allCases.map { "\($0.rawValue)=\($0.values.other)" }.joined(separator: ", ")
    }

    static let table: [Option] = [
        Option(
            name: "listen", value: "[role=]host:port",
            help: """
                The address and port to listen on; port 0 picks a free one. Roles: any, apns, apns-sandbox, fcm. Replaces \
                the default.
                """,
            defaultValue: "127.0.0.1:2197", isList: true, commands: [.serve]),
        Option(
            name: "certs", value: "dir", help: "The directory of keys and certificates.", defaultValue: "certs",
            commands: [.serve, .initialize, .send]),
        Option(
            name: "auth", value: "policy",
            help: """
                How credentials are checked: not at all (off); tokens have to be well-formed and current, and signatures \
                of known keys valid (lenient); only known keys are accepted (strict).
                """,
            values: ["off", "lenient", "strict"], defaultValue: "lenient", commands: [.serve]),
        Option(
            name: "apns-key", value: "file:keyid:teamid", help: "An additional key that providers sign with.",
            isList: true, commands: [.serve]),
        Option(
            name: "apns-environment", value: "name",
            help: "The environment of all host names except those of Apple's sandbox.",
            values: ["production", "sandbox"], defaultValue: "production", commands: [.serve]),
        Option(
            name: "validation", value: "profile",
            help: """
                Which pushes are refused: also pushes that a phone could not use (strict), or only what the real service \
                refuses (service).
                """,
            values: ["strict", "service"], defaultValue: "strict", commands: [.serve, .check]),
        Option(
            name: "token-update-interval", value: "duration",
            help: "How long a connection has to use a provider token before it may send another one.",
            defaultValue: "20m", commands: [.serve]),
        Option(
            name: "background-priority", value: "policy",
            help: "What a background push with priority 10 gets: a finding (accept), or BadPriority (reject).",
            values: ["accept", "reject"], defaultValue: "accept", commands: [.serve]),
        Option(
            name: "apns-spelling", value: "source",
            help: "Which spelling of reasons to use if Apple's documentation and the wire differ.",
            values: ["wire", "documented"], defaultValue: "wire", commands: [.serve]),
        Option(
            name: "apns-choice", value: "name=value",
            help: """
                Another answer in a case where Apple's is unknown or differs from the documentation: \
                \(alternatives(of: APNsChoice.self)).
                """,
            isList: true, commands: [.serve]),
        Option(
            name: "fcm-choice", value: "name=value",
            help: "Another answer in a case where Google's is unknown: \(alternatives(of: FCMChoice.self)).",
            isList: true,
            commands: [.serve]),
        Option(
            name: "quotas", value: "switch",
            help: """
                Whether to enforce Google's quotas (real): 600,000 requests per minute and 3,000 topic changes per second \
                for a project; 240 messages per minute, 5,000 per hour and 20 collapsible messages at once for a device.
                """,
            values: ["off", "real"], defaultValue: "off", commands: [.serve]),
        Option(
            name: "test-endpoints", value: "switch",
            help: "Serve /devices/echo, a WebSocket that echoes what it receives, for tests of the WebSocket protocol.",
            values: ["on", "off"],
            defaultValue: "off", isFlag: true, commands: [.serve]),
        Option(
            name: "unknown-devices", value: "policy",
            help: "What a push to an unknown token does: create a device (accept), or get refused (reject).",
            values: ["accept", "reject"], defaultValue: "accept", commands: [.serve]),
        Option(
            name: "unregister-delay", value: "duration",
            help: "How long after the uninstallation of an app pushes to it are first answered with 410.",
            defaultValue: "0s",
            commands: [.serve]),
        Option(
            name: "unregister-pushes", value: "count",
            help: "How many pushes to an uninstalled app are accepted and lost before they are answered with 410.",
            defaultValue: "0",
            commands: [.serve]),
        Option(
            name: "api-token", value: "token",
            help: "The bearer token for the gateway's own pages and APIs; required if a listener is not on loopback.",
            commands: [.serve, .device, .expect]),
        Option(
            name: "allow-host", value: "name", help: "An additional host name for the gateway's own pages and APIs.",
            isList: true,
            commands: [.serve]),
        Option(
            name: "first-streams", value: "count",
            help: "How many concurrent streams an apns connection may open before its first accepted push.",
            defaultValue: "1",
            commands: [.serve]),
        Option(
            name: "streams", value: "count", help: "How many concurrent streams an apns or any connection may open.",
            defaultValue: "1000", commands: [.serve]),
        Option(
            name: "fcm-streams", value: "count", help: "How many concurrent streams an fcm connection may open.",
            defaultValue: "100",
            commands: [.serve]),
        Option(
            name: "stream-drop", value: "switch", help: "Go back to --first-streams after a refused push.",
            values: ["on", "off"], defaultValue: "on", commands: [.serve]),
        Option(
            name: "overlong-fields", value: "answer",
            help:
                "What an APNs request with more than 8,000 bytes of header fields gets: a stream reset, or status 431.",
            values: ["reset", "431"], defaultValue: "reset", commands: [.serve]),
        Option(
            name: "data", value: "dir",
            help: """
                The directory where devices, pushes and reports are stored, so that they survive a restart; a push is \
                answered after it is on the disk. Without this option everything is in memory.
                """,
            commands: [.serve]),
        Option(
            name: "keep-messages", value: "count",
            help: "How many pushes to keep, with four events each; the oldest are dropped.", defaultValue: "10000",
            commands: [.serve]),
        Option(
            name: "keep-mib", value: "count", help: "How many MiB of requests to keep with them.", defaultValue: "64",
            commands: [.serve]),
        Option(
            name: "keep-for", value: "duration",
            help: "How long to keep events, by the gateway's clock; without this option until there are too many.",
            commands: [.serve]),
        Option(
            name: "head-timeout", value: "duration",
            help: "How long a TLS handshake and the header fields of a request may take.", defaultValue: "10s",
            commands: [.serve]),
        Option(
            name: "stall-timeout", value: "duration",
            help: "How long a client may pause while it sends a request or reads the answer.", defaultValue: "30s",
            commands: [.serve]),
        Option(
            name: "keep-alive-timeout", value: "duration",
            help: "How long an HTTP/1.1 connection is kept open between requests.", defaultValue: "75s",
            commands: [.serve]),
        Option(
            name: "heartbeat", value: "duration",
            help: "How long a device socket may be silent before it is pinged; it is closed after twice as long.",
            defaultValue: "30s", commands: [.serve]),
        Option(
            name: "drain-timeout", value: "duration",
            help: "How long open connections may take to finish after SIGTERM.", defaultValue: "5s", commands: [.serve]),
        Option(
            name: "log", value: "format", help: "The format of log lines.", values: ["text", "json"],
            defaultValue: "text",
            commands: [.serve]),
        Option(
            name: "log-level", value: "level", help: "The lowest level that is logged.",
            values: ["debug", "info", "warning", "error", "none"], defaultValue: "info", commands: [.serve]),
        Option(
            name: "to", value: "token",
            help:
                "The device token in hexadecimal digits; for an FCM message a registration token, which replaces its target.",
            commands: [.send]),
        Option(
            name: "topic", value: "topic",
            help: """
                The app's topic; if not given, the payload's Simulator Target Bundle, or else the topic of the \
                credentials. For an FCM message the topic to send to, which replaces its target.
                """,
            commands: [.send]),
        Option(
            name: "project", value: "id",
            help: "The project of an FCM message; if not given, the project of the service account.",
            commands: [.send]),
        Option(
            name: "dry-run", value: "switch", help: "Have an FCM message checked but not delivered.",
            values: ["on", "off"],
            defaultValue: "off", isFlag: true, commands: [.send]),
        Option(
            name: "type", value: "type", help: "The push type, like alert or background.", commands: [.send, .check]),
        Option(name: "priority", value: "number", help: "The priority: 10, 5 or 1.", commands: [.send]),
        Option(
            name: "collapse-id", value: "id",
            help: "The collapse id: on the device the push replaces an earlier one with the same id.", commands: [.send]
        ),
        Option(
            name: "expiration", value: "seconds", help: "When the push expires, in seconds since 1970.",
            commands: [.send]),
        Option(
            name: "sandbox", value: "switch", help: "Address the gateway by the host name of Apple's sandbox.",
            values: ["on", "off"],
            defaultValue: "off", isFlag: true, commands: [.send]),
        Option(
            name: "platform", value: "name", help: "The platform of the phone.", values: ["ios", "android", "web"],
            defaultValue: "ios",
            commands: [.device]),
        Option(
            name: "app", value: "id", help: "The app on the phone: a bundle id, a package name or a site.",
            defaultValue: "com.example.app",
            commands: [.device]),
        Option(
            name: "id", value: "id", help: "The id of an existing device, or the id to give to a new one.",
            commands: [.device]),
        Option(
            name: "extension", value: "script", help: "What the app's Notification Service Extension does (iOS).",
            values: ["none", "firebase", "adobe", "echo", "slow", "crash"], defaultValue: "none", commands: [.device]),
        Option(
            name: "tracking", value: "profile", help: "Which tracking reports the app sends.",
            values: ["none", "adobe"], defaultValue: "none",
            commands: [.device]),
        Option(
            name: "count", value: "number", help: "Expect exactly this many matching pushes; fail if there are more.",
            commands: [.expect]),
        Option(
            name: "at-least", value: "number",
            help: "Expect at least this many matching pushes; 1 if none of these options is given.", commands: [.expect]
        ),
        Option(
            name: "at-most", value: "number", help: "Expect at most this many matching pushes until the time is up.",
            commands: [.expect]),
        Option(
            name: "never", value: "switch", help: "Expect no matching push until the time is up.",
            values: ["on", "off"], defaultValue: "off",
            isFlag: true,
            commands: [.expect]),
        Option(name: "within", value: "duration", help: "How long to wait.", defaultValue: "5s", commands: [.expect]),
        Option(
            name: "format", value: "format",
            help: "The format of the list; fcm-fields lists the fields of FCM messages instead.",
            values: ["text", "markdown", "fcm-fields"],
            defaultValue: "text", commands: [.rules]),
        Option(
            name: "json", value: "switch", help: "Print the list as JSON.", values: ["on", "off"], defaultValue: "off",
            isFlag: true, commands: [.rules]),
        Option(
            name: "json", value: "switch", help: "Print the result as JSON.", values: ["on", "off"],
            defaultValue: "off",
            isFlag: true,
            commands: [.expect]),
        Option(
            name: "json", value: "switch", help: "Print each frame from the gateway as one line of JSON, for scripts.",
            values: ["on", "off"],
            defaultValue: "off", isFlag: true, commands: [.device]),
        Option(
            name: "url", value: "address", help: "The gateway to send to, as https://host:port or http://host:port.",
            defaultValue: "https://127.0.0.1:2197", commands: [.send]),
        Option(
            name: "url", value: "address", help: "The gateway to ask, as http://host:port or https://host:port.",
            defaultValue: "http://127.0.0.1:2197", commands: [.expect, .ready]),
        Option(
            name: "url", value: "address",
            help: "The gateway to connect to, as http://host:port or https://host:port.",
            defaultValue: "http://127.0.0.1:2197", commands: [.device]),
        Option(
            name: "wait", value: "duration", help: "How long to wait for the gateway.", defaultValue: "10s",
            commands: [.ready]),
    ]
}
