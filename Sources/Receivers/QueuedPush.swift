internal import PushCore

/// A push for a client, until the client has acknowledged it.
struct QueuedPush {
    /// Google's form: `0:1711623408410794%7031b2e6f9fd7ecd`.
    let id: String
    /// Its number in the list of messages.
    let push: PushID
    let token: String
    let registration: Registration
    /// What the app gets beside the body, such as `content-encoding`.
    var fields: [(key: String, value: String)]
    let body: [UInt8]
    /// Seconds.
    let lifetime: Int
    /// A newer push with the same topic replaces this one.
    let topic: String?
    let sent: Timestamp
    /// The number of the frame that has it; nil if it was not sent over the current connection.
    var streamID: UInt64?
    var isSent: Bool { streamID != nil }

    var expires: Timestamp { sent + Int64(lifetime) * 1000 }

    static func id(at now: Timestamp, using random: inout Random) -> String {
        let number = String(random.next(), radix: 16)
        return "0:\(now.milliseconds)\(100 + random.next() % 900)%" + String(repeating: "0", count: 16 - number.count)
            + number
    }

    /// DataMessageStanza (docs/evidence/receivers.md §4.5).
    ///
    /// - Parameter received: how many frames of the client have arrived.
    func message(received: UInt64) -> [UInt8] {
        var message = ProtoWriter()
        message.text(2, String(id.suffix(8)))
        message.text(3, registration.sender)
        message.text(5, registration.app)
        if let topic { message.text(6, topic) }
        for (key, value) in fields + [("subtype", registration.subtype)] where !value.isEmpty {
            message.message(7) { field in
                field.text(1, key)
                field.text(2, value)
            }
        }
        message.text(9, id)
        message.number(11, received)
        message.number(17, UInt64(lifetime))
        message.number(18, UInt64(clamping: sent.milliseconds))
        if !body.isEmpty { message.bytes(21, body) }
        return message.bytes
    }
}
