internal import HTTPCore
internal import PushCore

/// Web pushes for clients (RFC 8030), as Google's service takes them.
extension ReceiverBook {
    private static let longestBody = 4096
    /// Four weeks. A longer lifetime is shortened to it.
    private static let longestLifetime = 2_419_200
    private static let hosts = ["fcm.googleapis.com", "jmt17.google.com", "fcm.google.com"]

    package mutating func send(_ webPush: WebPush, verify: VAPID.Verify) -> WebPushAnswer {
        do throws(WebPushRule) {
            let (push, host) = try read(webPush, verify)
            add(push, for: push.registration.client)
            let headers = HeaderBlock([
                HeaderName("location"): "https://\(host)/\(push.id)", .contentType: "text/html; charset=UTF-8",
                HeaderName("x-content-type-options"): "nosniff", HeaderName("x-frame-options"): "SAMEORIGIN",
                HeaderName("x-xss-protection"): "0",
            ])
            return WebPushAnswer(response: Response(status: 201, headers: headers, body: .bytes([])))
        } catch {
            return WebPushAnswer(response: error.response, refusal: error.rule, reason: error.text)
        }
    }

    /// Google checks in this order, as far as it is known (docs/evidence/receivers.md §10).
    private mutating func read(
        _ webPush: WebPush, _ verify: VAPID.Verify
    ) throws(WebPushRule) -> (QueuedPush, host: String) {
        let (request, token, now) = (webPush.request, webPush.token, webPush.now)
        guard request.body.count <= Self.longestBody, !request.bodyIsOverLimit else { throw .tooLarge }
        guard registrations[token] != nil || deleted.contains(token) else { throw .unknownToken }
        guard let authorization = webPush.field("authorization") else { throw .noAuthorization }
        let vapid: VAPID
        do throws(VAPIDProblem) {
            vapid = try VAPID(authorization: authorization, cryptoKey: webPush.field("crypto-key"))
            try vapid.check(hosts: Self.hosts + [VAPID.host(of: "https://\(webPush.authority)")], at: now, verify)
        } catch { throw WebPushRule(error) }
        guard let registration = registrations[token] else { throw .unsubscribed }
        guard Base64URL.encode(vapid.key) == registration.sender else { throw .otherKey }
        guard let lifetime = webPush.field("ttl").flatMap({ UInt32($0) }) else { throw .badTTL }
        let topic = webPush.field("topic")
        if let topic, !Self.isTopic(topic) { throw .badTopic }
        let fields = ["content-encoding", "encryption", "crypto-key"].compactMap { name in
            webPush.field(name).map { (key: name, value: $0) }
        }
        let push = QueuedPush(
            id: QueuedPush.id(at: now, using: &random), push: webPush.id, token: token, registration: registration,
            fields: fields,
            body: request.body, lifetime: min(Int(lifetime), Self.longestLifetime), topic: topic, sent: now)
        return (push, webPush.authority)
    }

    static func isTopic(_ text: String) -> Bool {
        1...32 ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}
