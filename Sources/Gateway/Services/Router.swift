internal import APNs
internal import FCM
internal import HTTPCore

/// Which part of the gateway a request is for.
enum Service {
    case apns, google, deviceSocket, control, live, ready, metrics, console, unknown
}

/// Routes by path on any host, but by host on a vendor's own.
enum Router {
    private struct Row {
        let path: [UInt8]
        /// Everything below the path too.
        let isPrefix: Bool
        let service: Service
    }

    /// A path that ends in a slash stands for everything below it.
    private static let table: [Row] = ([
        ("/3/", .apns), ("/4/", .apns), ("/1/", .apns),
        ("/v1/", .google), ("/fcm/", .google), ("/iid/", .google), ("/batch/", .google), ("/batch", .google),
        ("/token", .google),
        ("/api/v1/", .control), ("/openapi.json", .control), ("/docs", .control),
        ("/devices/socket", .deviceSocket),
        ("/livez", .live), ("/readyz", .ready), ("/metrics", .metrics),
    ] as [(String, Service)]).map { Row(path: Array($0.utf8), isPrefix: $0.hasSuffix("/"), service: $1) }

    static func service(for headers: HeaderBlock) -> Service {
        if let vendor = vendor(headers) { return vendor == .apple ? .apns : .google }
        let target = headers.first(.path) ?? []
        var count = 0
        for byte in target {
            if byte == UInt8(ascii: "?") { break }
            count += 1
        }
        let path = target.prefix(count)
        if count == 1, path.first == UInt8(ascii: "/") { return .console }
        for row in table where row.isPrefix ? count >= row.path.count : count == row.path.count {
            if begins(path, with: row.path) { return row.service }
        }
        return .unknown
    }

    private static func begins(_ path: ArraySlice<UInt8>, with start: [UInt8]) -> Bool {
        for offset in start.indices where path[path.startIndex + offset] != start[offset] { return false }
        return true
    }

    /// The longest body each service takes.
    static func bodyLimit(_ headers: HeaderBlock) -> Int {
        switch service(for: headers) {
        case .apns: APNsDialect.bodyLimit(headers)
        case .google: FCMDialect.bodyLimit
        case .control: 32 << 20
        case .deviceSocket, .live, .ready, .metrics, .console, .unknown: 64 << 10
        }
    }

    private static func vendor(_ headers: HeaderBlock) -> Vendor? {
        guard let authority = headers.first(.authority) ?? headers.first(.host) else { return nil }
        // Every vendor's name ends in "com"; nothing else needs a string.
        let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        guard end - authority.startIndex > 4, authority[end - 1] | 0x20 == UInt8(ascii: "m") else { return nil }
        return Vendor(host: String(decoding: authority[..<end], as: UTF8.self).lowercased())
    }
}
