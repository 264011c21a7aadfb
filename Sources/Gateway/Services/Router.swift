internal import APNs
internal import FCM
internal import HTTPCore

/// Which part of the gateway a request is for.
enum Service {
    case apns, google, deviceSocket, control, live, ready, metrics, console, unknown
}

/// Routes by path on any host, but by host on a vendor's own.
enum Router {
    private enum Match { case exactly([UInt8]), below([UInt8]) }

    private static let table: [(Match, Service)] = [
        (.below("/3/"), .apns), (.below("/4/"), .apns), (.below("/1/"), .apns),
        (.below("/v1/"), .google), (.below("/fcm/"), .google), (.below("/iid/"), .google),
        (.below("/batch/"), .google), (.exactly("/batch"), .google), (.exactly("/token"), .google),
        (.below("/api/v1/"), .control), (.exactly("/openapi.json"), .control), (.exactly("/docs"), .control),
        (.exactly("/devices/socket"), .deviceSocket),
        (.exactly("/livez"), .live), (.exactly("/readyz"), .ready), (.exactly("/metrics"), .metrics),
        (.exactly("/"), .console),
    ].map { (match: TextMatch, service: Service) in (match.bytes, service) }

    /// How the table is written.
    private enum TextMatch {
        case exactly(String), below(String)

        var bytes: Match {
            switch self {
            case .exactly(let text): .exactly(Array(text.utf8))
            case .below(let text): .below(Array(text.utf8))
            }
        }
    }

    static func service(for headers: HeaderBlock) -> Service {
        if let vendor = vendor(headers) { return vendor == .apple ? .apns : .google }
        let target = headers.first(.path) ?? []
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        for (match, service) in table {
            switch match {
            case .exactly(let text): if path.count == text.count, path.elementsEqual(text) { return service }
            case .below(let text): if path.starts(with: text) { return service }
            }
        }
        return .unknown
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
        // Every vendor's name ends in this; nothing else needs a string.
        let host = authority.prefix { $0 != UInt8(ascii: ":") }
        guard host.suffix(4).map({ $0 | 0x20 }).elementsEqual(".com".utf8) else { return nil }
        return Vendor(host: String(decoding: host, as: UTF8.self).lowercased())
    }
}
