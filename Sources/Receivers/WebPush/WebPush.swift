package import HTTPCore
package import PushCore

/// A request of a sender to a receiver's endpoint.
package struct WebPush {
    package let request: Request
    /// Its number in the list of messages.
    package let id: PushID
    /// The last part of the endpoint's path.
    package let token: String
    /// The time of the gateway's clock, from which its lifetime counts.
    package let now: Timestamp

    package init(_ request: Request, _ id: PushID, to token: String, at now: Timestamp) {
        self.request = request
        self.id = id
        self.token = token
        self.now = now
    }

    func field(_ name: String) -> String? {
        request.headers.first(HeaderName(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    var authority: String { request.authority.map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

/// The answer to a web push.
package struct WebPushAnswer {
    package let response: Response
    /// The rule that refused it.
    package let refusal: Rule?
    /// What the service says about it.
    package let reason: String?

    init(response: Response, refusal: Rule? = nil, reason: String? = nil) {
        self.response = response
        self.refusal = refusal
        self.reason = reason
    }
}
