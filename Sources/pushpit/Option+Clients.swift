extension Option {
    /// The options that `serve` does not have.
    static let clientOptions: [Option] = [
        Option(
            name: "api-token", value: "token", help: "The bearer token of the gateway, if it has one.",
            commands: [.env, .browser, .device, .expect, .send]),
        Option(
            name: "api-token-file", value: "file",
            help: "The file with the bearer token of the gateway, unless --api-token is set.",
            commands: [.env, .browser, .device, .expect, .send]),
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
            name: "type", value: "type",
            help: "The push type (apns-push-type), such as alert or background. If not given, the push has no type.",
            commands: [.send, .check]),
        Option(
            name: "fail-on", value: "severity",
            help: "The lowest severity that makes the command exit with 65: a refusal, a warning or a note.",
            values: ["refusal", "warning", "note"], defaultValue: "refusal", commands: [.check]),
        Option(
            name: "priority", value: "number",
            help: "The priority: 10, 5 or 1. If not given, it is 5 for the type background, and otherwise not sent.",
            commands: [.send]),
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
            name: "extension", value: "script",
            help:
                "What the app's Notification Service Extension does (iOS); echo finishes at once, without an attachment.",
            values: ["none", "firebase", "adobe", "echo", "slow", "crash"], defaultValue: "none", commands: [.device]),
        Option(
            name: "tracking", value: "profile", help: "Which tracking reports the app sends.",
            values: ["none", "adobe"], defaultValue: "none",
            commands: [.device]),
        Option(
            name: "count", value: "number",
            help: "Expect this many matching pushes; fail if more have already arrived.",
            commands: [.expect]),
        Option(
            name: "at-least", value: "number",
            help: """
                Expect at least this many matching pushes; 1 if none of --count, --at-least, --at-most and --never is \
                given.
                """,
            commands: [.expect]),
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
            defaultValue: "http://127.0.0.1:2197", commands: [.doctor, .expect, .ready]),
        Option(
            name: "url", value: "address",
            help: "The gateway to connect to, as http://host:port or https://host:port.",
            defaultValue: "http://127.0.0.1:2197", commands: [.device]),
        Option(
            name: "url", value: "address",
            help: "The gateway that programs should use, as http://host:port or https://host:port.",
            defaultValue: "http://127.0.0.1:2197", commands: [.env]),
        Option(
            name: "dotenv", value: "switch",
            help: "Print the variables as an environment file for Docker Compose instead of a shell's commands.",
            values: ["on", "off"], defaultValue: "off", isFlag: true, commands: [.env]),
        Option(
            name: "wait", value: "duration", help: "How long to wait for the gateway.", defaultValue: "10s",
            commands: [.ready]),
    ]
}
