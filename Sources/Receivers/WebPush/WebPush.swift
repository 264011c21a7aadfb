package import HTTPCore
package import PushCore

/// A request of a sender to a receiver's endpoint.
package struct WebPush {
    package let request: Request
    package let service: PushService
    /// The last part of the endpoint's path.
    package let token: String
    /// Its number in the list of messages.
    package let id: PushID
    /// The time of the gateway's clock, from which its lifetime counts.
    package let now: Timestamp

    /// Nil if the path is not one of an endpoint.
    package init?(_ request: Request, _ id: @autoclosure () -> PushID, at now: Timestamp) {
        guard let (service, token) = PushService.find(request) else { return nil }
        self.request = request
        self.service = service
        self.token = token
        self.id = id()
        self.now = now
    }

    func field(_ name: String) -> String? {
        request.headers.first(HeaderName(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    var authority: String { request.authority.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    var hasShortBody: Bool { request.body.count <= PushService.longestBody && !request.bodyIsOverLimit }

    /// Nil if it is missing or not a number.
    var lifetime: UInt32? {
        guard let text = field("ttl"), !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return UInt32(text) ?? .max
    }

    package var isUrgent: Bool { field("urgency") == "high" }

    /// A topic has at most 32 characters of base64 for URLs (RFC 8030 §5.4). There may be none.
    var hasGoodTopic: Bool {
        field("topic").map { 1...32 ~= $0.utf8.count && $0.utf8.allSatisfy(Base64URL.isDigit) } ?? true
    }

    var encoding: ContentEncoding {
        guard !request.body.isEmpty else { return .none }
        var encoding = ContentEncoding(name: field("content-encoding") ?? "")
        // In the newer coding, everything is in the body.
        if encoding.name != "aes128gcm" {
            (encoding.encryption, encoding.cryptoKey) = (field("encryption"), field("crypto-key"))
        }
        return encoding
    }
}

/// The answer to a web push.
package struct WebPushAnswer {
    package var response: Response
    /// The rule that refused it.
    package let refusal: Rule?
    /// What the service says about it.
    package let reason: String?

    package init(response: Response) { (self.response, refusal, reason) = (response, nil, nil) }

    package init(_ refusal: WebPushRefusal) {
        (response, self.refusal, reason) = (refusal.response, refusal.rule, refusal.reason)
    }
}
