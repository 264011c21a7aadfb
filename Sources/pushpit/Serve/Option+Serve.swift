// Over 200 lines: one table with a row for each option.
internal import APNs
internal import FCM

extension Option {
    /// The options of `serve`; some of them are also for other commands.
    static let serveOptions: [Option] =
        startOptions + [
            Option(
                name: "auth", value: "policy",
                help: """
                    How credentials are checked: not at all (off); tokens have to be well-formed and current, and signatures \
                    of known keys valid (lenient); only known keys and the gateway's own access tokens are accepted (strict).
                    """,
                values: ["off", "lenient", "strict"], defaultValue: "lenient", commands: .gateways),
            Option(
                name: "apns-key", value: "file:keyid:teamid", help: "An additional key that providers sign with.",
                isList: true, commands: .gateways),
            Option(
                name: "apns-environment", value: "name",
                help: "The environment of all host names except those of Apple's sandbox.",
                values: ["production", "sandbox"], defaultValue: "production", commands: .gateways),
            Option(
                name: "validation", value: "profile",
                help: """
                    Which pushes are refused: what the real service refuses (service), or in addition pushes that a phone \
                    could not use (strict).
                    """,
                values: ["strict", "service"], defaultValue: "strict", commands: [.serve, .exec, .check]),
            Option(
                name: "token-update-interval", value: "duration",
                help: "How long a connection must keep a provider token before it may send a different one.",
                defaultValue: "20m", commands: .gateways),
            Option(
                name: "background-priority", value: "policy",
                help: """
                    What becomes of a background push with priority 10: it is accepted and never delivered (drop), delivered \
                    (accept), or refused with BadPriority (reject).
                    """,
                values: ["drop", "accept", "reject"], defaultValue: "drop", commands: .gateways),
            Option(
                name: "apns-spelling", value: "source",
                help: "Which spelling of reasons to use if Apple's documentation and the wire differ.",
                values: ["wire", "documented"], defaultValue: "wire", commands: .gateways),
            Option(
                name: "apns-choice", value: "name=value",
                help: """
                    Another answer in a case where Apple's is unknown or differs from the documentation: \
                    \(alternatives(of: APNsChoice.self)). The manual page, pushpit(1), explains each of them.
                    """,
                isList: true, commands: .gateways),
            Option(
                name: "fcm-choice", value: "name=value",
                help: """
                    Another answer in a case where Google's is unknown or differs from the documentation: \
                    \(alternatives(of: FCMChoice.self)). The manual page, pushpit(1), explains each of them. The id of a \
                    recorded answer selects another wording of the same error.
                    """,
                isList: true, commands: .gateways),
            Option(
                name: "quotas", value: "switch",
                help: """
                    Whether to enforce Google's quotas (real): 600,000 requests per minute, 3,000 topic changes per second and \
                    1,000 topic messages in progress for a project; 240 messages per minute, 5,000 per hour and 20 collapsible \
                    messages at once for a device.
                    """,
                values: ["off", "real"], defaultValue: "off", commands: .gateways),
            Option(
                name: "test-endpoints", value: "switch",
                help:
                    "Serve /devices/echo, a WebSocket that echoes what it receives, for tests of the WebSocket protocol.",
                values: ["on", "off"],
                defaultValue: "off", isFlag: true, commands: .gateways),
            Option(
                name: "unknown-devices", value: "policy",
                help:
                    "What happens to a push to an unknown token: it creates a device (accept), or is refused (reject).",
                values: ["accept", "reject"], defaultValue: "accept", commands: .gateways),
            Option(
                name: "unregister-delay", value: "duration",
                help: """
                    How long pushes to an uninstalled app are still accepted and lost. 410 begins when this time has passed \
                    and the number of --unregister-pushes is reached.
                    """,
                defaultValue: "0s", commands: .gateways),
            Option(
                name: "unregister-pushes", value: "count",
                help: "How many pushes to an uninstalled app are still accepted and lost. See --unregister-delay.",
                defaultValue: "0", commands: .gateways),
            Option(
                name: "api-token", value: "token",
                help:
                    "The bearer token for the gateway's own pages and APIs; required if a listener is not on loopback.",
                commands: .gateways),
            Option(
                name: "api-token-file", value: "file",
                help: """
                    The file with the bearer token, unless --api-token is set. If it does not exist, pushpit serve makes \
                    it with a random token.
                    """,
                commands: .gateways),
            Option(
                name: "proxy-pass", value: "switch",
                help: """
                    As an HTTPS proxy, forward connections to all hosts other than Apple's and Google's: through the \
                    proxy in HTTPS_PROXY, or directly if that is not set or the host is in NO_PROXY. Otherwise they \
                    are refused.
                    """,
                values: ["on", "off"], defaultValue: "off", isFlag: true, commands: [.serve]),
            Option(
                name: "allow-host", value: "name",
                help: """
                    An additional host name of the gateway. Under any other name, a listener on loopback refuses all \
                    requests, and other listeners refuse requests for the gateway's own pages.
                    """,
                isList: true, commands: .gateways),
            Option(
                name: "allow-origin", value: "origin",
                help: """
                    The origin of web pages that may use the gateway, like http://localhost:3000. Requests of other web pages \
                    are refused.
                    """,
                isList: true, commands: .gateways),
            Option(
                name: "first-streams", value: "count",
                help: "How many concurrent streams an apns connection may open before its first accepted push.",
                defaultValue: "1", commands: .gateways),
            Option(
                name: "streams", value: "count",
                help: "How many concurrent streams a connection to a listener with the role apns or any may open.",
                defaultValue: "1000", commands: .gateways),
            Option(
                name: "fcm-streams", value: "count", help: "How many concurrent streams an fcm connection may open.",
                defaultValue: "100",
                commands: .gateways),
            Option(
                name: "stream-drop", value: "switch",
                help: "Go back to --first-streams after a refusal with a 4xx status other than 410.",
                values: ["on", "off"], defaultValue: "on", commands: .gateways),
            Option(
                name: "overlong-fields", value: "answer",
                help:
                    "What an APNs request with more than 8,000 bytes of header fields gets: a stream reset, or status 431.",
                values: ["reset", "431"], defaultValue: "reset", commands: .gateways),
            Option(
                name: "data", value: "dir",
                help: """
                    The directory where devices, pushes, reports and what the control API has set are stored, so that they \
                    survive a restart; a push, or a change over the control API, is answered after it is on the disk. Without \
                    this option everything is in memory.
                    """,
                commands: .gateways),
            Option(
                name: "keep-messages", value: "count",
                help: """
                    How many pushes to keep. The event log has room for four events per push; when it is full, the oldest \
                    pushes are dropped. Refused pushes have a log of their own, a fifth as large, so they never remove \
                    accepted ones.
                    """,
                defaultValue: "10000",
                commands: .gateways),
            Option(
                name: "keep-mib", value: "count",
                help: "How many MiB of requests to keep in all; for refused pushes, a fifth of this in addition.",
                defaultValue: "64", commands: .gateways),
            Option(
                name: "keep-for", value: "duration",
                help:
                    "How long to keep events, by the gateway's clock. By default they are kept until there are too many.",
                commands: .gateways),
            Option(
                name: "head-timeout", value: "duration",
                help: "How long a TLS handshake and the header fields of a request may take.", defaultValue: "10s",
                commands: .gateways),
            Option(
                name: "stall-timeout", value: "duration",
                help: "How long a client may pause while it sends a request or reads the answer.", defaultValue: "30s",
                commands: .gateways),
            Option(
                name: "keep-alive-timeout", value: "duration",
                help: "How long an HTTP/1.1 connection is kept open between requests.", defaultValue: "75s",
                commands: .gateways),
            Option(
                name: "heartbeat", value: "duration",
                help: "How long a device socket may be silent before it is pinged; it is closed after twice as long.",
                defaultValue: "30s", commands: .gateways),
            Option(
                name: "drain-timeout", value: "duration",
                help: "How long open connections may take to finish after SIGTERM.", defaultValue: "5s",
                commands: .gateways
            ),
            Option(
                name: "turn-time", value: "duration",
                help: "How long one connection or query may work while others wait for their turn.",
                defaultValue: "2ms",
                commands: .gateways),
            Option(
                name: "log", value: "format", help: "The format of log lines.", values: ["text", "json"],
                defaultValue: "text",
                commands: .gateways),
            Option(
                name: "log-level", value: "level", help: "The lowest level that is logged.",
                values: ["debug", "info", "warning", "error", "none"], defaultValue: "info", commands: [.serve]),
        ]
}
