internal import PushCore

/// A push for a client of Mozilla's service, until it is acknowledged.
struct AutopushMessage {
    let agent: String
    let channel: String
    /// Its number in the list of messages.
    let push: PushID
    let token: String
    /// Mozilla's id of the push.
    var version = ""
    /// The fields of the request that the client needs to decrypt the body, by the client's names.
    let fields: [(name: String, value: String)]
    let body: [UInt8]
    /// Seconds.
    let lifetime: Int
    let topic: String?
    let sent: Timestamp
    /// Whether it was sent over the current connection.
    var isSent = false

    var expires: Timestamp { sent + Int64(lifetime) * 1000 }
}
