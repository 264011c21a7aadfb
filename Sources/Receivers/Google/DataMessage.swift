internal import PushCore

/// DataMessageStanza, the frame of MCS that has a push (docs/evidence/receivers.md §4.5).
enum DataMessage {
    /// - Parameter received: how many frames of the client have arrived.
    static func of(_ push: WaitingPush, _ registration: Registration, received: UInt64) -> [UInt8] {
        var message = ProtoWriter()
        message.text(2, String(push.id.suffix(8)))
        message.text(3, registration.sender)
        message.text(5, registration.app)
        if let topic = push.topic { message.text(6, topic) }
        let encoding = push.encoding
        append(
            [
                ("google.source", encoding.isOfFCM ? "webpush" : nil),
                ("content-encoding", encoding.isOfFCM ? nil : encoding.name), ("encryption", encoding.encryption),
                ("crypto-key", encoding.cryptoKey), ("subtype", registration.subtype),
            ], to: &message)
        message.text(9, push.id)
        message.number(11, received)
        message.number(17, UInt64(clamping: push.lifetime))
        message.number(18, UInt64(clamping: push.sent.milliseconds))
        if !push.body.isEmpty { message.bytes(21, push.body) }
        return message.bytes
    }

    /// Tells an app that pushes for it were dropped, because too many waited. Chromium ignores it for pages.
    static func deletedMessages(count: Int, _ registration: Registration, received: UInt64, at now: Timestamp)
        -> [UInt8]
    {
        var message = ProtoWriter()
        message.text(3, registration.sender)
        message.text(5, registration.app)
        append(
            [
                ("message_type", "deleted_messages"), ("total_deleted", "\(count)"), ("subtype", registration.subtype),
            ], to: &message)
        message.number(11, received)
        message.number(18, UInt64(clamping: now.milliseconds))
        return message.bytes
    }

    private static func append(_ fields: [(key: String, value: String?)], to message: inout ProtoWriter) {
        for (key, value) in fields {
            guard let value, !value.isEmpty else { continue }
            message.message(7) { field in
                field.text(1, key)
                field.text(2, value)
            }
        }
    }

    /// An id in Google's form: `0:1711623408410794%7031b2e6f9fd7ecd`.
    static func id(at now: Timestamp, using random: inout Random) -> String {
        let number = String(random.next(), radix: 16)
        return "0:\(now.milliseconds)\(100 + random.next() % 900)%" + String(repeating: "0", count: 16 - number.count)
            + number
    }
}
