// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled under the same rules; a dangerous expression has to say `unsafe`.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
]

func library(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + dependencies,
        swiftSettings: strict)
}

func system(_ name: String, pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "pushpit",
    products: [
        .executable(name: "pushpit", targets: ["pushpit"]),
        .library(name: "PushpitTesting", targets: ["PushpitTesting"]),
    ],
    targets: [
        // C libraries, each imported by one wrapper target only.
        system("CNghttp2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
        system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
        system("CUV", pkgConfig: "libuv", apt: "libuv1-dev"),
        system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        // A part of the C library.
        .systemLibrary(name: "CMalloc"),
        /// In C: the supervisor of a command (seccomp user notification, Linux).
        .target(name: "CTrace"),
        /// In C: requests over HTTP with libcurl, which is loaded when it is first needed.
        .target(name: "CCurl"),

        // Pure: the standard library alone, no unsafe code.
        /// Reads and writes JSON, as Apple's and Google's parsers do.
        library("JSON"),
        /// Requests, responses and headers, for both versions of HTTP.
        library("HTTPCore"),
        /// Compares texts: with a part of a text in either case, and with regular expressions in bounded time.
        library("Patterns"),
        /// Values that the other targets share: events, rules, ids, tokens and times.
        library("PushCore", "JSON", "HTTPCore"),
        /// Decides what Apple's service answers to a push or broadcast.
        library("APNs", "PushCore", "JSON", "HTTPCore"),
        /// Decides what Google's service answers to a message or a call about topics.
        library("FCM", "PushCore", "JSON", "HTTPCore"),
        /// Simulated devices: their tokens and topics, and what they do with a push.
        library("Devices", "PushCore", "JSON", "HTTPCore"),

        /// Injected errors: which requests they hit, how often, and what the client gets instead of the real answer.
        library("Faults", "APNs", "FCM", "PushCore", "HTTPCore", "JSON"),

        /// Real clients that take their pushes from the gateway: checkin, registration, MCS and web pushes.
        library("Receivers", "FCM", "PushCore", "JSON", "HTTPCore"),

        /// The state of a gateway as one value: decides how to answer each push and call, and records what happened.
        library(
            "PushEngine", "Receivers", "Faults", "APNs", "FCM", "Devices", "Patterns", "PushCore", "HTTPCore", "JSON"),

        /// The control API: its routes, the document that describes them, and their answers.
        library(
            "ControlAPI", "PushEngine", "Receivers", "Faults", "APNs", "FCM", "Devices", "Patterns", "PushCore",
            "HTTPCore",
            "JSON"),
        /// The log's lines about pushes: one for each push, or one a second if there are many.
        library("PushFeed", "PushEngine", "Receivers", "Devices", "PushCore", "HTTPCore", "JSON"),

        /// Every rule, in one table.
        library("RuleTables", "Receivers", "Faults", "APNs", "FCM", "Devices", "HTTP1", "PushCore"),

        /// How a real browser is started so that it gets its pushes from a gateway.
        library("Browsers", "PushCore", "HTTPCore", "JSON"),

        // Bytes in, values out.
        /// TLS sessions over memory, certificates, keys and signatures.
        library("TLS", "COpenSSL", "PushCore"),
        /// Says what a key, token, account or payload is, what is wrong with it, and what the real service would answer.
        library("Inspection", "TLS", "APNs", "FCM", "JSON", "PushCore"),
        /// The frames of one HTTP/2 connection, for servers and clients.
        library("HTTP2", "CNghttp2", "HTTPCore"),
        /// Compresses and decompresses bodies with gzip.
        library("Compression", "PushCore", "HTTPCore", "CZlib"),
        /// Parses and encodes HTTP/1.1.
        library("HTTP1", "HTTPCore"),
        /// The handshake and frames of WebSocket.
        library("WebSocket"),

        // Input and output.
        /// Runs a command whose look-ups, connections and CA bundles lead to a gateway.
        library("Tracing", "Threads", "CTrace"),
        /// The library that `exec` preloads into programs, as bytes.
        .target(
            name: "Preload", dependencies: ["Compression", "PushCore"], swiftSettings: strict, plugins: ["EmbedPreload"]
        ),
        .plugin(name: "EmbedPreload", capability: .buildTool(), path: "Plugins/EmbedPreload"),
        /// The web page that shows what the control API knows, as files inside the program.
        .target(
            name: "Console", dependencies: ["Compression", "PushCore", "HTTPCore"], exclude: ["Web"],
            swiftSettings: strict,
            plugins: ["EmbedConsole"]),
        .plugin(name: "EmbedConsole", capability: .buildTool(), path: "Plugins/EmbedConsole"),
        /// Parses proxy requests and the settings of an upstream proxy; opens no connections.
        library("Proxy", "FCM", "WebSocket", "PushCore", "HTTPCore"),
        /// New threads, and a lock for values that threads share.
        library("Threads"),
        /// The event loop: listeners, streams, timers, signals and mailboxes.
        library("EventLoop", "Threads", "CUV"),
        /// Requests to other programs: the files that phones fetch, tracking reports, and events for a webhook.
        library("Fetching", "EventLoop", "Platform", "TLS", "Devices", "PushCore", "CCurl"),
        /// One SQLite file: its tables, and batches that are written whole or not at all.
        library("Storage", "Threads", "CSQLite"),
        /// Files, the log and standard error, over POSIX.
        library("Platform", "JSON", "PushCore", "CMalloc"),
        /// Makes and loads certificates, keys and service accounts.
        library("Credentials", "Platform", "Threads", "TLS", "APNs", "JSON", "PushCore"),
        /// Saves the event log on a disk, and restores a gateway's state from it.
        library("Persistence", "Storage", "Threads", "PushEngine", "Faults", "Devices", "PushCore", "HTTPCore"),
        /// Clients of a gateway, for the command line and tests: a provider, a device socket and the control API.
        library(
            "PushpitClient", "Credentials", "EventLoop", "TLS", "HTTP2", "HTTP1", "WebSocket", "HTTPCore",
            "JSON", "PushCore"),
        /// Which part of the gateway answers a request, and whether its sender may use it.
        library("Routing", "ControlAPI", "APNs", "FCM", "Proxy", "EventLoop", "TLS", "PushCore", "HTTPCore"),
        /// The running gateway: connections and services.
        library(
            "Gateway", "Routing", "EventLoop", "TLS", "HTTP2", "HTTP1", "WebSocket", "Compression", "HTTPCore", "JSON",
            "PushEngine", "Receivers", "Faults", "PushCore", "APNs", "FCM", "Devices", "Storage", "Persistence",
            "ControlAPI",
            "Platform", "Credentials", "Inspection", "Proxy", "PushFeed", "Fetching", "Console", "RuleTables", "Threads"
        ),
        /// A gateway inside a Swift test.
        library(
            "PushpitTesting", "Gateway", "Routing", "APNs", "Credentials", "Platform", "EventLoop", "Fetching",
            "Threads",
            "TLS",
            "HTTP2", "HTTP1", "WebSocket", "HTTPCore", "JSON", "PushCore"),
        /// The command line: arguments, output and exit codes.
        .executableTarget(
            name: "pushpit",
            dependencies: [
                "Gateway", "Routing", "ControlAPI", "PushEngine", "Credentials", "PushpitClient", "Tracing", "Preload",
                "Platform", "Inspection", "EventLoop", "Proxy", "Fetching", "RuleTables", "Browsers", "TLS", "Threads",
                "APNs", "FCM", "Devices", "PushCore", "HTTPCore", "JSON",
            ],
            swiftSettings: strict),

        /// What the tests of several targets use: a seeded generator, a temporary directory, a verifier for
        /// decoders, and small limits.
        .target(name: "TestSupport", dependencies: ["HTTP1"], path: "Tests/TestSupport", swiftSettings: strict),
        tests("JSON", "TestSupport"),
        tests("HTTPCore"),
        tests("Patterns"),
        tests("Compression"),
        tests("HTTP1", "HTTPCore", "TestSupport"),
        tests("WebSocket", "TestSupport"),
        tests("TLS", "PushCore", "TestSupport"),
        tests("Inspection", "TLS", "JSON", "PushCore"),
        tests("HTTP2", "HTTPCore", "TestSupport"),
        tests("PushCore", "HTTPCore", "JSON", "TestSupport"),
        tests("APNs", "HTTPCore", "PushCore"),
        tests("FCM", "Platform", "PushCore", "JSON", "HTTPCore"),
        tests("Devices", "PushCore", "JSON", "HTTPCore"),
        tests("Faults", "FCM", "PushCore", "HTTPCore", "JSON"),
        tests("Receivers", "PushCore", "JSON", "HTTPCore"),
        tests("Browsers", "HTTPCore"),
        tests("RuleTables", "APNs", "Devices", "HTTP1", "PushCore"),
        tests(
            "PushEngine", "Receivers", "Faults", "APNs", "FCM", "Devices", "PushCore", "HTTPCore", "JSON", "TestSupport"
        ),
        tests(
            "PushFeed", "PushEngine", "Receivers", "Faults", "Devices", "APNs", "FCM", "PushCore", "HTTPCore", "JSON"),
        tests("Persistence", "Storage", "PushEngine", "Devices", "PushCore", "HTTPCore", "JSON", "TestSupport"),
        tests("Credentials", "Platform", "TLS", "APNs", "JSON", "TestSupport"),
        tests("Platform", "JSON", "Threads", "PushCore", "TestSupport"),
        tests("PushpitClient", "PushpitTesting", "Credentials", "EventLoop", "Threads", "HTTPCore", "JSON"),
        tests("Threads"),
        tests("Proxy"),
        tests("Console", "Compression", "HTTPCore"),
        tests("Tracing", "Threads"),
        tests("Preload", "Platform", "TestSupport"),
        tests("EventLoop"),
        tests("Fetching", "EventLoop", "Platform", "Devices", "PushCore"),
        tests("Storage", "TestSupport"),
        tests(
            "ControlAPI", "PushEngine", "Faults", "APNs", "FCM", "Devices", "Credentials", "Inspection", "TLS",
            "PushCore", "HTTPCore", "JSON"),
        tests(
            "Gateway", "Routing", "PushpitTesting", "PushEngine", "Persistence", "Storage", "Compression", "Devices",
            "EventLoop", "APNs", "Credentials",
            "HTTPCore", "Platform", "PushCore", "TLS", "TestSupport"),
        tests("Routing", "PushpitTesting", "Gateway", "EventLoop", "HTTPCore", "PushCore", "TLS"),
        tests("PushpitTesting"),
        tests(
            "pushpit", "Gateway", "RuleTables", "Credentials", "Inspection", "Tracing", "Platform", "EventLoop",
            "Fetching", "Browsers", "Threads", "APNs",
            "FCM",
            "Devices", "PushCore", "HTTPCore", "JSON", "TestSupport"),
    ]
)
