package import PushCore

/// A message of FCM that is encrypted for its receiver, in the old coding that Google uses (`aesgcm`).
package struct EncryptedPush {
    private let push: ReceiverPush
    private let subscription: String
    private let salt: String
    private let key: String
    private let body: [UInt8]

    /// - Parameters:
    ///   - salt: 16 bytes.
    ///   - key: the public key of this push, 65 bytes.
    package init(
        _ push: ReceiverPush, to registration: FirebaseRegistration, salt: [UInt8], key: [UInt8], body: [UInt8]
    ) {
        self.push = push
        subscription = registration.subscription
        // Clients need the padding.
        self.salt = "salt=" + Base64URL.encode(salt) + "=="
        self.key = "dh=" + Base64URL.encode(key) + "="
        self.body = body
    }

    func queued(_ registration: Registration, id: String, at now: Timestamp) -> QueuedPush {
        QueuedPush(
            id: id, push: push.id, token: subscription, registration: registration,
            fields: [("google.source", "webpush"), ("encryption", salt), ("crypto-key", key)], body: body,
            lifetime: push.lifetime, topic: push.topic, sent: now)
    }

    func message(_ subscription: AutopushBook.Subscription, at now: Timestamp) -> AutopushMessage {
        AutopushMessage(
            agent: subscription.agent, channel: subscription.channel, push: push.id, token: self.subscription,
            fields: [("encoding", "aesgcm"), ("encryption", salt), ("crypto_key", key)], body: body,
            lifetime: push.lifetime, topic: push.topic, sent: now)
    }

    /// Hands the push to the book that has its subscription.
    package func deliver(_ book: inout ReceiverBook, _ mozilla: inout AutopushBook, at now: Timestamp) {
        if let registration = book.registrations[subscription] {
            let id = QueuedPush.id(at: now, using: &book.random)
            book.add(queued(registration, id: id, at: now), for: registration.client)
        } else if let known = mozilla.subscriptions[subscription] {
            _ = mozilla.add(message(known, at: now))
        }
    }
}
