internal import HTTPCore
internal import PushCore

/// Web pushes for clients of Mozilla's service.
extension AutopushBook {
    private static let longestBody = 4096
    /// 60 days. A longer lifetime is shortened to it.
    private static let longestLifetime = 5_184_000
    private static let hosts = ["updates.push.services.mozilla.com"]

    /// - Parameter base: the gateway's URL.
    package mutating func send(_ webPush: WebPush, base: String, verify: VAPID.Verify) -> WebPushAnswer {
        do throws(MozillaError) {
            let message = try read(webPush, verify)
            let version = add(message)
            let headers = HeaderBlock([
                HeaderName("location"): "\(base)/m/\(version)", HeaderName("ttl"): "\(message.lifetime)",
            ])
            return WebPushAnswer(response: Response(status: 201, headers: headers, body: .bytes([])))
        } catch {
            return WebPushAnswer(response: error.response, refusal: error.rule, reason: error.text)
        }
    }

    /// Mozilla's service checks in this order (docs/evidence/receivers.md §6.3).
    private func read(_ webPush: WebPush, _ verify: VAPID.Verify) throws(MozillaError) -> AutopushMessage {
        let (request, token, now) = (webPush.request, webPush.token, webPush.now)
        guard subscriptions[token] != nil || deleted.contains(token) else { throw .unknownToken }
        let vapid: VAPID?
        do throws(VAPIDProblem) {
            vapid = try webPush.field("authorization").map { text throws(VAPIDProblem) in
                try VAPID(authorization: text, cryptoKey: webPush.field("crypto-key"))
            }
        } catch { throw MozillaError(error) }
        let subscription = subscriptions[token]
        if let key = subscription?.key {
            guard let vapid else { throw .noToken }
            guard vapid.key == key else { throw .otherKey }
        }
        guard let subscription else { throw .unsubscribed }
        if let vapid {
            do throws(VAPIDProblem) {
                try vapid.check(hosts: Self.hosts + [VAPID.host(of: "https://\(webPush.authority)")], at: now, verify)
            } catch { throw MozillaError(error) }
        }
        guard request.body.count <= Self.longestBody, !request.bodyIsOverLimit else { throw .tooLarge }
        guard let lifetime = webPush.field("ttl").flatMap({ UInt32($0) }) else { throw .noTTL }
        let topic = webPush.field("topic")
        if let topic, !ReceiverBook.isTopic(topic) { throw .badTopic }
        var fields: [(name: String, value: String)] = []
        if !request.body.isEmpty {
            guard let encoding = webPush.field("content-encoding") else { throw .noEncoding }
            guard ["aes128gcm", "aesgcm"].contains(encoding) else { throw .badEncoding }
            fields = [("encoding", encoding)]
            for (name, header) in [("encryption", "encryption"), ("crypto_key", "crypto-key")]
            where encoding == "aesgcm" {
                if let value = webPush.field(header) { fields.append((name, value)) }
            }
        }
        return AutopushMessage(
            agent: subscription.agent, channel: subscription.channel, push: webPush.id, token: token, fields: fields,
            body: request.body,
            lifetime: min(Int(lifetime), Self.longestLifetime), topic: topic, sent: now)
    }
}
