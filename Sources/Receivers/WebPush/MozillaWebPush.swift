internal import HTTPCore
internal import PushCore

/// Web pushes as Mozilla's service takes them.
enum MozillaWebPush {
    /// Mozilla's service checks in this order (docs/evidence/receivers.md §6.3).
    static func check(
        _ push: WebPush, _ endpoint: PushService.Endpoint, _ verify: VAPID.Verify
    ) throws(WebPushRefusal) -> WebPushTerms {
        do throws(MozillaError) { return try read(push, endpoint, verify) } catch {
            throw WebPushRefusal(rule: error.rule, reason: error.text, response: error.response)
        }
    }

    private static func read(
        _ push: WebPush, _ endpoint: PushService.Endpoint, _ verify: VAPID.Verify
    ) throws(MozillaError) -> WebPushTerms {
        guard endpoint != .unknown else { throw .unknownToken }
        let vapid: VAPID?
        do throws(VAPIDProblem) {
            vapid = try push.field("authorization").map { text throws(VAPIDProblem) in
                try VAPID(authorization: text, cryptoKey: push.field("crypto-key"))
            }
        } catch { throw MozillaError(error) }
        if let key = endpoint.key {
            guard let vapid else { throw .noToken }
            guard vapid.key == key else { throw .otherKey }
        }
        guard endpoint != .ended else { throw .unsubscribed }
        if let vapid {
            do throws(VAPIDProblem) {
                try vapid.check(hosts: PushService.mozilla.signatureHosts(push), at: push.now, verify)
            } catch { throw MozillaError(error) }
            guard vapid.hasTextualSubject else { throw .badClaim }
        }
        guard push.hasShortBody else { throw .tooLarge }
        guard push.lifetime != nil else {
            throw push.field("ttl").flatMap { Int64($0) }.map { $0 < 0 } == true ? .negativeTTL : .noTTL
        }
        guard push.field("topic").map({ $0.utf8.count <= 32 }) ?? true else { throw .longTopic }
        guard push.hasGoodTopic else { throw .badTopic }
        if !push.request.body.isEmpty { try checkEncoding(of: push) }
        return PushService.mozilla.terms(of: push)
    }

    static func response(_ status: Int, _ reason: String?) -> Response {
        let known = MozillaError.allCases.first { $0.response.status == status && reason ?? $0.text == $0.text }
        // The numbers of the other errors (docs/evidence/receivers.md §6.3).
        let number = [429: 201, 503: 201, 502: 900][status] ?? 999
        return known?.response ?? MozillaError.response(status, number, reason ?? "")
    }

    private static func checkEncoding(of push: WebPush) throws(MozillaError) {
        switch push.field("content-encoding") {
        case "aes128gcm":
            if push.field("crypto-key").map({ VAPID.value("dh", in: $0[...]) != nil }) == true { throw .unwantedKey }
        case "aesgcm":
            guard let encryption = push.field("encryption") else { throw .noEncryption }
            guard VAPID.value("salt", in: encryption[...]) != nil else { throw .noSalt }
        case nil: throw .noEncoding
        default: throw .badEncoding
        }
    }
}
