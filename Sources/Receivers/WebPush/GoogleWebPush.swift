internal import HTTPCore
internal import PushCore

/// Web pushes (RFC 8030) as Google's service takes them.
enum GoogleWebPush {
    /// Google checks in this order, as far as it is known (docs/evidence/receivers.md §10).
    static func check(
        _ push: WebPush, _ endpoint: PushService.Endpoint, _ verify: VAPID.Verify
    ) throws(WebPushRefusal) -> WebPushTerms {
        do throws(WebPushRule) { return try read(push, endpoint, verify) } catch {
            throw WebPushRefusal(rule: error.rule, reason: error.text, response: error.response)
        }
    }

    private static func read(
        _ push: WebPush, _ endpoint: PushService.Endpoint, _ verify: VAPID.Verify
    ) throws(WebPushRule) -> WebPushTerms {
        guard push.hasShortBody else { throw .tooLarge }
        guard endpoint != .unknown else { throw .unknownToken }
        guard let authorization = push.field("authorization") else { throw .noAuthorization }
        let vapid: VAPID
        do throws(VAPIDProblem) {
            vapid = try VAPID(authorization: authorization, cryptoKey: push.field("crypto-key"))
            try vapid.check(hosts: PushService.google.signatureHosts(push), at: push.now, verify)
        } catch { throw WebPushRule(error) }
        guard case .open(let key) = endpoint else { throw .unsubscribed }
        // A registration for a project has its number, and no VAPID key.
        if let key, vapid.key != key { throw key.count == 65 ? .otherKey : .otherSender }
        guard push.lifetime != nil else { throw .badTTL }
        guard push.hasGoodTopic else { throw .badTopic }
        return PushService.google.terms(of: push)
    }

    static func response(_ status: Int, _ reason: String?) -> Response {
        let known = WebPushRule.allCases.first { $0.response.status == status && reason ?? $0.text == $0.text }
        return known?.response ?? WebPushRule.response(status, reason ?? "status \(status)")
    }

    static func fields(id: String, host: String) -> [(String, String)] {
        [
            ("location", "https://\(host)/\(id)"), ("content-type", "text/html; charset=UTF-8"),
            ("x-content-type-options", "nosniff"), ("x-frame-options", "SAMEORIGIN"), ("x-xss-protection", "0"),
        ]
    }
}
