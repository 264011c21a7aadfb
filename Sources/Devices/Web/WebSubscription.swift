internal import JSON
package import PushCore

/// The push subscription of a simulated browser: an endpoint for senders, and the keys with which they encrypt.
package struct WebSubscription: Sendable {
    /// The last part of the endpoint's path.
    package let token: String
    package let service: PushService
    /// `p256dh`: a point of P-256, 65 bytes.
    package let key: [UInt8]
    /// `auth`: 16 bytes.
    package let secret: [UInt8]
    /// The private half of `key`, in PEM. Empty if the client has it: its pushes are not decrypted.
    package let privateKey: [UInt8]
    /// The VAPID key that may send, 65 bytes; nil if any may.
    package let senderKey: [UInt8]?

    package init(_ spec: WebSubscriptionSpec, token: String, made: WebPushKeys) {
        self.token = token
        service = spec.service
        key = spec.key ?? made.key
        secret = spec.secret ?? made.secret
        privateKey = spec.key == nil ? made.privateKey : []
        senderKey = spec.senderKey
    }
}

/// New keys of a subscription.
package struct WebPushKeys {
    let key: [UInt8]
    let secret: [UInt8]
    let privateKey: [UInt8]

    package init(key: [UInt8], secret: [UInt8], privateKey: [UInt8]) {
        (self.key, self.secret, self.privateKey) = (key, secret, privateKey)
    }
}

/// The subscription that a client asks for, in the form that browsers give to pages. The gateway makes what is missing.
package struct WebSubscriptionSpec: Sendable {
    var key: [UInt8]?
    var secret: [UInt8]?
    var senderKey: [UInt8]?
    package var service = PushService.google

    package init() {}

    /// Asks for a new subscription at the same service. The sender's key stays; the browser's keys are new.
    package init(renewing old: WebSubscription) { (service, senderKey) = (old.service, old.senderKey) }

    init(_ part: PhoneSpec.Reader) throws(DeviceProblem) {
        let part = try part.allowing(["keys", "applicationServerKey", "pushService", "endpoint", "expirationTime"])
        try part.checkText("endpoint")
        if let keys = try part.object("keys")?.allowing(["p256dh", "auth"]) {
            key = try Self.point("p256dh", of: keys)
            secret = try Self.bytes("auth", of: keys)
            guard secret?.count ?? 16 == 16 else { throw keys.problem("auth", "'auth' must have 16 bytes.") }
        }
        senderKey = try Self.point("applicationServerKey", of: part)
        if let word = try part.text("pushService") {
            guard let known = PushService(rawValue: word) else {
                throw part.problem("pushService", "'\(word)' is not a push service: use google, mozilla or apple.")
            }
            service = known
        }
    }

    private static func bytes(_ name: String, of part: PhoneSpec.Reader) throws(DeviceProblem) -> [UInt8]? {
        guard let text = try part.text(name) else { return nil }
        guard let bytes = Base64URL.decodeAny(text.utf8) else {
            throw part.problem(name, "'\(name)' must be base64 for URLs.")
        }
        return bytes
    }

    private static func point(_ name: String, of part: PhoneSpec.Reader) throws(DeviceProblem) -> [UInt8]? {
        guard let bytes = try bytes(name, of: part) else { return nil }
        guard bytes.count == 65, bytes.first == 4 else {
            throw part.problem(
                name, "'\(name)' must be an uncompressed point of P-256: 65 bytes, of which the first is 4.")
        }
        return bytes
    }
}

extension WebSubscription {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("token", token)
            json.member("service", service.rawValue)
            json.member("key", Base64URL.encode(key))
            json.member("secret", Base64URL.encode(secret))
            json.member("privateKey", String(decoding: privateKey, as: UTF8.self))
            json.member("senderKey", senderKey.map { Base64URL.encode($0) })
        }
    }

    init(saved json: JSONView) throws(ByteReader.Damage) {
        func bytes(_ name: String) -> [UInt8]? { json[name]?.string.flatMap { Base64URL.decode($0.utf8) } }
        guard let token = json["token"]?.string, let key = bytes("key"), let secret = bytes("secret"),
            let service = json["service"]?.string.flatMap(PushService.init(rawValue:))
        else { throw ByteReader.Damage() }
        self.token = token
        self.service = service
        self.key = key
        self.secret = secret
        privateKey = json["privateKey"]?.string.map { Array($0.utf8) } ?? []
        senderKey = bytes("senderKey")
    }
}
