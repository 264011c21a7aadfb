internal import PushCore

/// An FCM message that is encrypted for its receiver, in the old coding that Google uses (`aesgcm`).
package struct EncryptedPush {
    private let push: ReceiverPush
    private let salt: String
    private let key: String
    private let body: [UInt8]

    /// - Parameters:
    ///   - salt: 16 bytes.
    ///   - key: the public key of this push, 65 bytes.
    package init(_ push: ReceiverPush, salt: [UInt8], key: [UInt8], body: [UInt8]) {
        self.push = push
        // Clients need the padding.
        self.salt = "salt=" + Base64URL.encode(salt) + "=="
        self.key = "dh=" + Base64URL.encode(key) + "="
        self.body = body
    }

    func waiting(for subscription: String, at now: Timestamp) -> WaitingPush {
        WaitingPush(
            push: push.id, token: subscription,
            encoding: ContentEncoding(name: "aesgcm", encryption: salt, cryptoKey: key, isOfFCM: true), body: body,
            lifetime: push.lifetime, topic: push.topic, sent: now)
    }
}
