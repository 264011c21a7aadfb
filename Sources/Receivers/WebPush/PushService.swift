internal import FCM
package import HTTPCore
package import PushCore

/// The endpoints of each push service, and its checks and answers.
extension PushService {
    /// 60 days, at Mozilla's.
    static let longestLifetime = 5_184_000

    private struct Row {
        /// The hosts of endpoints. A sender's signature names one of them.
        let hosts: [String]
        /// The paths of endpoints, before the token.
        let paths: [String]
        /// Seconds. A longer lifetime is shortened to it.
        let longestLifetime: Int
    }

    private var row: Row {
        switch self {
        case .google:
            Row(
                hosts: ["fcm.googleapis.com", "jmt17.google.com", "fcm.google.com"],
                paths: ["/fcm/send/", "/wp/", "/preprod/wp/"], longestLifetime: 2_419_200)
        case .mozilla:
            Row(
                hosts: ["updates.push.services.mozilla.com"], paths: ["/wpush/v2/", "/wpush/v1/", "/wpush/"],
                longestLifetime: Self.longestLifetime)
        case .apple:
            // Apple's endpoints have nothing before the token. Without Apple's host, the path names it.
            Row(hosts: [Self.appleHost], paths: ["/\(Self.appleHost)/"], longestLifetime: 2_419_200)
        }
    }

    private static let appleHost = "web.push.apple.com"

    /// When senders that are refused for a time may come again, in seconds; nil if the service does not say. Mozilla's
    /// value is documented, Google's assumed (docs/evidence/receivers.md §6).
    package var retryAfter: Int? {
        switch self {
        case .google: 60
        case .mozilla: 120
        case .apple: nil
        }
    }

    /// Where senders send: an endpoint at the gateway whose URL is `base`.
    package func endpoint(_ token: String, base: String) -> String { base + (row.paths.first ?? "/") + token }

    /// The service of an endpoint, and its token; nil if this is no endpoint.
    static func find(_ request: Request) -> (service: PushService, token: String)? {
        let path = String(decoding: request.path, as: UTF8.self)
        if request.host == appleHost { return (.apple, PercentCode.decode(path.dropFirst().utf8, isForm: false)) }
        for service in allCases {
            for prefix in service.row.paths where path.hasPrefix(prefix) {
                return (service, PercentCode.decode(path.dropFirst(prefix.utf8.count).utf8, isForm: false))
            }
        }
        return nil
    }

    /// What is known of the token in an endpoint.
    package enum Endpoint: Equatable {
        case unknown, ended
        /// - Parameter key: the VAPID key that may send; nil if any may.
        case open(key: [UInt8]?)

        var key: [UInt8]? {
            if case .open(let key) = self { return key }
            return nil
        }
    }

    /// Checks a web push as the service does.
    package func check(_ push: WebPush, _ endpoint: Endpoint, _ verify: VAPID.Verify) throws(WebPushRefusal)
        -> WebPushTerms
    {
        switch self {
        case .google: try GoogleWebPush.check(push, endpoint, verify)
        case .mozilla: try MozillaWebPush.check(push, endpoint, verify)
        case .apple: try AppleWebPush.check(push, endpoint, verify)
        }
    }

    /// What an accepted push asks for.
    package func terms(of push: WebPush) -> WebPushTerms {
        WebPushTerms(lifetime: lifetime(push.lifetime ?? 0), topic: push.field("topic"), encoding: push.encoding)
    }

    /// The answer of the service with this status: one of its refusals if it has one, or else a body in its form.
    package func response(_ status: Int, _ reason: String?) -> Response {
        if status < 300 { return Response(status: status) }
        switch self {
        case .google: return GoogleWebPush.response(status, reason)
        case .mozilla: return MozillaWebPush.response(status, reason)
        case .apple: return AppleWebPush.response(status, reason)
        }
    }

    /// The answer to a web push that was accepted.
    ///
    /// - Parameters:
    ///   - id: the service's id of the push.
    ///   - base: the gateway's URL.
    package func acceptance(of push: WebPush, id: String, _ terms: WebPushTerms, base: String) -> Response {
        let fields: [(String, String)] =
            switch self {
            case .google: GoogleWebPush.fields(id: id, host: push.authority)
            case .mozilla: [("location", "\(base)/m/\(id)"), ("ttl", "\(terms.lifetime)")]
            case .apple: [("apns-id", id)]
            }
        var headers = HeaderBlock()
        for (name, value) in fields { headers.append(HeaderName(name), value) }
        return Response(status: 201, headers: headers, body: .bytes([]))
    }

    func signatureHosts(_ push: WebPush) -> [String] { row.hosts + [VAPID.host(of: "https://\(push.authority)")] }

    func lifetime(_ seconds: UInt32) -> Int { min(Int(seconds), row.longestLifetime) }

    static let longestBody = 4096
}

/// What an accepted web push asks for.
package struct WebPushTerms {
    /// Seconds.
    package let lifetime: Int
    package let topic: String?
    package let encoding: ContentEncoding
}

/// Why a service refuses a web push.
package struct WebPushRefusal: Error {
    package let rule: Rule
    /// What the service says about it.
    package let reason: String
    package let response: Response
}

extension Request {
    /// The name in `:authority` or `host`, without a port.
    fileprivate var host: String? {
        authority.map { String(String(decoding: $0, as: UTF8.self).lowercased().prefix { $0 != ":" }) }
    }
}
