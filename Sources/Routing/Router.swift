internal import APNs
internal import ControlAPI
internal import FCM
package import HTTPCore
internal import PushCore

/// Routes a request to a service: by its host name if that is Apple's, Google's or Mozilla's, otherwise by its path. A listener
/// with a vendor's role answers unknown paths as the vendor does.
package enum Router {
    private struct Row {
        let path: [UInt8]
        /// The row also matches every path below this one.
        let isPrefix: Bool
        let service: Service

        /// Compares the target without its query.
        func matches(_ target: Span<UInt8>) -> Bool {
            guard target.starts(with: path) else { return false }
            return isPrefix || target.count == path.count || target[path.count] == UInt8(ascii: "?")
        }
    }

    /// A path that ends in a slash matches every path below it. The path `/` matches only itself.
    private static let table: [Row] =
        ([
            ("/3/", .apns), ("/4/", .apns), ("/1/", .apns),
            ("/checkin", .receiver), ("/c2dm/register3", .receiver), ("/fcm/send/", .receiver), ("/wp/", .receiver),
            ("/preprod/wp/", .receiver), ("/wpush/", .receiver), ("/web.push.apple.com/", .receiver),
            ("/m/", .receiver),
            ("/v1/", .google), ("/fcm/", .google), ("/iid/", .google), ("/batch/", .google), ("/batch", .google),
            ("/api/v1/", .control), ("/openapi.json", .control), ("/docs", .control),
            ("/r/", .collector), ("/rest/head/", .collector), ("/devices/socket", .deviceSocket),
            ("/devices/echo", .echoSocket),
            ("/livez", .live), ("/readyz", .ready), ("/metrics", .metrics), ("/ca.pem", .authority),
            ("/", .console), ("/console/", .console),
        ] as [(String, Service)] + GoogleRoute.tokenPaths.map { ($0, .google) }).map {
            Row(path: Array($0.utf8), isPrefix: $0.hasSuffix("/") && $0 != "/", service: $1)
        }

    package static func service(for headers: HeaderBlock, on role: Role) -> Service {
        let authority = headers.range(of: .authority) ?? headers.range(of: .host)
        return service(
            for: headers, headers.range(of: .path),
            of: authority.flatMap { vendor(headers.storage.span.extracting($0)) }, on: role)
    }

    /// - Parameter vendor: the vendor that the request's host name belongs to.
    static func service(
        for headers: HeaderBlock, _ path: Range<Int>?, of vendor: Vendor?, on role: Role
    ) -> Service {
        let bytes = headers.storage.span
        if let vendor {
            guard vendor == .google, let path else { return vendor.service }
            let target = bytes.extracting(path)
            if registers(target) { return .receiver }
            return table.contains { $0.service == .receiver && $0.matches(target) } ? .receiver : .google
        }
        guard let path else { return adjusted(.unknown, on: role) }
        if registers(bytes.extracting(path)) { return .receiver }
        for row in table where row.matches(bytes.extracting(path)) { return adjusted(row.service, on: role) }
        return adjusted(doubledSlash(bytes.extracting(path)), on: role)
    }

    /// Whether a web app registers with this call: `/v1/projects/PROJECT/installations…` or `…/registrations…`, but not
    /// a call about the topics of a registration.
    private static func registers(_ target: Span<UInt8>) -> Bool {
        guard target.starts(with: projects) else { return false }
        var start = projects.count
        while start < target.count, target[start] != UInt8(ascii: "/") { start += 1 }
        let rest = target.extracting(start...)
        if rest.starts(with: installations) { return true }
        guard rest.starts(with: registrations) else { return false }
        var slashes = 0
        for index in rest.indices where rest[index] == UInt8(ascii: "/") { slashes += 1 }
        return slashes <= 2
    }

    private static let projects = Array("/v1/projects/".utf8)
    private static let installations = Array("/installations".utf8)
    private static let registrations = Array("/registrations".utf8)

    /// Returns `service`, except on a listener with a vendor's role. There, `/` and unknown paths belong to that
    /// vendor.
    private static func adjusted(_ service: Service, on role: Role) -> Service {
        guard service == .unknown || service == .console else { return service }
        return switch role {
        case .any, .mcs: service
        case .apns: .apns
        case .fcm: .google
        }
    }

    /// The vendor's service for a path that starts with several slashes, found by ignoring all but one. Senders produce
    /// such a path if their base address ends in a slash. The vendors do not serve it either, so the sender should see
    /// the vendor's error.
    private static func doubledSlash(_ path: Span<UInt8>) -> Service {
        var start = 0
        while start + 1 < path.count, path[start] == UInt8(ascii: "/"), path[start + 1] == UInt8(ascii: "/") {
            start += 1
        }
        guard start > 0 else { return .unknown }
        for row in table where row.matches(path.extracting(start...)) {
            return row.service.isAPNs || row.service == .google ? row.service : .unknown
        }
        return .unknown
    }

    /// The longest body that the service accepts: 0 bytes if the control API refuses the client.
    static func bodyLimit(
        of service: Service, _ headers: HeaderBlock, _ path: Range<Int>?, _ accessPolicy: AccessPolicy
    ) -> Int {
        switch service {
        case .apns, .apnsSandbox: APNsDialect.bodyLimit(headers, path ?? 0..<0)
        case .google: FCMDialect.bodyLimit
        case .control: accessPolicy.refusal(of: headers) == nil ? ControlAPI.bodyLimit : 0
        case .receiver, .deviceSocket, .echoSocket, .collector, .live, .ready, .metrics, .console, .authority, .unknown:
            64 << 10
        case .preflight, .forbiddenPage, .proxy: 0
        }
    }

    /// The vendor with the host name of this authority.
    static func vendor(_ authority: Span<UInt8>) -> Vendor? {
        var colon = authority.count - 1
        while colon > 0, 0x30...0x39 ~= authority[colon] { colon -= 1 }
        var end = colon >= 0 && authority[colon] == UInt8(ascii: ":") ? colon : authority.count
        // A name may end in a dot, which says that it is complete.
        while end > 0, authority[end - 1] == UInt8(ascii: ".") { end -= 1 }
        // Every vendor's host name ends in "m". Nearly all others are rejected here without making a string.
        guard end > 4, authority[end - 1] | 0x20 == UInt8(ascii: "m") else { return nil }
        var host = ""
        for index in 0..<end { host.unicodeScalars.append(Unicode.Scalar(authority[index])) }
        return Vendor(host: host.lowercased())
    }
}
