internal import PushCore

/// A push for a real receiver, until the receiver has acknowledged it.
struct WaitingPush {
    /// The service's own id: `0:1711623408410794%7031b2e6f9fd7ecd` at Google's, 32 hexadecimal digits at Mozilla's.
    var id = ""
    /// Its number in the list of messages.
    let push: PushID
    /// The last part of the endpoint's path.
    let token: String
    let encoding: ContentEncoding
    let body: [UInt8]
    /// Seconds.
    let lifetime: Int
    /// A newer push with the same topic replaces this one.
    let topic: String?
    let sent: Timestamp
    /// Whether it was sent at all. Then it has arrived, as far as is known, even if it is sent again.
    var wasEverSent = false
    /// The number of the frame that has it; nil if it was not sent over the current connection.
    var frame: UInt64? { didSet { if frame != nil { wasEverSent = true } } }
    var isSentOnThisConnection: Bool { frame != nil }

    /// About how many bytes it takes in memory.
    var size: Int { body.count + 512 }

    var expires: Timestamp { sent + Int64(lifetime) * 1000 }
}

/// What a receiver needs beside the body of a push to decrypt it.
package struct ContentEncoding {
    /// `aes128gcm` or `aesgcm`; empty if there is no body.
    let name: String
    /// The fields `encryption` and `crypto-key`, in which the older coding has its salt and its key.
    var encryption: String?
    var cryptoKey: String?
    /// Whether Google has encrypted the push, for an FCM message.
    var isOfFCM = false

    static let none = ContentEncoding(name: "")
}

extension WaitingPush: SavedValue {
    func write(to writer: inout ByteWriter) {
        writer.text(id)
        writer.number(push.number)
        writer.text(token)
        writer.text(encoding.name)
        writer.optional(encoding.encryption)
        writer.optional(encoding.cryptoKey)
        writer.flag(encoding.isOfFCM)
        writer.byteArray(body)
        writer.number(UInt64(clamping: lifetime))
        writer.optional(topic)
        writer.signed(sent.milliseconds)
        writer.flag(wasEverSent)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (id, push) = (try reader.text(), try reader.number())
        guard push <= PushID.largestSaved else { throw ByteReader.Damage() }
        let token = try reader.text()
        let encoding = ContentEncoding(
            name: try reader.text(), encryption: try reader.optional(), cryptoKey: try reader.optional(),
            isOfFCM: try reader.flag())
        let body = try reader.byteArray()
        let lifetime = try reader.number()
        guard lifetime <= PushService.longestLifetime else { throw ByteReader.Damage() }
        self.init(
            id: id, push: PushID(push), token: token, encoding: encoding, body: body, lifetime: Int(clamping: lifetime),
            topic: try reader.optional(), sent: try reader.timestamp())
        // Records of earlier versions do not say it.
        if !reader.isAtEnd { wasEverSent = try reader.flag() }
    }
}
