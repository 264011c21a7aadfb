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

        // Pure: the standard library alone, no unsafe code.
        library("JSON"),
        library("HTTPCore"),
        library("PushCore", "JSON", "HTTPCore"),
        library("APNs", "PushCore", "JSON", "HTTPCore"),
        library("FCM", "PushCore", "JSON", "HTTPCore"),
        library("Devices", "PushCore", "JSON", "HTTPCore"),

        // Bytes in, values out.
        library("TLS", "COpenSSL", "PushCore"),
        library("HTTP2", "CNghttp2", "HTTPCore"),
        library("HTTP1", "HTTPCore"),
        library("WebSocket"),

        // Input and output.
        library("EventLoop", "CUV"),
        library("Storage", "CSQLite"),
        library("Platform", "JSON", "PushCore"),
        library("Credentials", "Platform", "TLS", "APNs", "JSON", "PushCore"),
        library(
            "PushpitClient", "Platform", "Credentials", "EventLoop", "TLS", "HTTP2", "HTTP1", "WebSocket", "HTTPCore",
            "JSON", "PushCore"),
        library(
            "Gateway", "EventLoop", "TLS", "HTTP2", "HTTP1", "WebSocket", "HTTPCore", "JSON",
            "PushCore", "APNs", "FCM", "Devices", "Storage", "Platform", "Credentials"),
        library(
            "PushpitTesting", "Gateway", "Credentials", "PushpitClient", "Platform", "EventLoop", "HTTP2", "HTTPCore",
            "PushCore"),
        .executableTarget(
            name: "pushpit",
            dependencies: [
                "Gateway", "Credentials", "PushpitClient", "Platform", "EventLoop", "APNs", "FCM", "Devices",
                "PushCore", "HTTPCore", "JSON",
            ],
            swiftSettings: strict),

        tests("JSON"),
        tests("HTTPCore"),
        tests("HTTP1", "HTTPCore"),
        tests("WebSocket"),
        tests("TLS", "PushCore"),
        tests("HTTP2", "HTTPCore"),
        tests("PushCore", "HTTPCore"),
        tests("APNs", "HTTPCore", "PushCore", "JSON", "TLS"),
        tests("FCM", "JSON"),
        tests("Devices", "PushCore", "JSON", "HTTPCore"),
        tests("EventLoop"),
        tests("Storage"),
        tests("PushpitTesting"),
    ]
)
