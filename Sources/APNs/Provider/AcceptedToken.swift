internal import PushCore

/// A provider token that a connection accepted.
package struct AcceptedToken: Sendable {
    /// As it was sent.
    package let bytes: [UInt8]
    package let keyID: String
    /// Seconds since 1970.
    package let issuedAt: Int64

    /// Whether the token is at most `lifetime` milliseconds old.
    func isAlive(at now: Timestamp, _ lifetime: Int64) -> Bool { now.milliseconds - issuedAt * 1000 <= lifetime }
}

/// The provider tokens that were accepted recently, on any connection.
package struct AcceptedTokens: Sendable {
    private var tokens: [[UInt8]: AcceptedToken] = [:]

    private static let capacity = 1000
    /// Longer tokens are not remembered. A real token has about 200 bytes.
    private static let maxTokenLength = 1000

    package init() {}

    /// If this is full, the half with the oldest `iat` is removed first.
    package mutating func add(_ token: AcceptedToken) {
        guard token.bytes.count <= Self.maxTokenLength else { return }
        if tokens.count >= Self.capacity, tokens[token.bytes] == nil {
            let oldest = tokens.values.sorted { $0.issuedAt < $1.issuedAt }.prefix(Self.capacity / 2)
            for old in oldest { tokens[old.bytes] = nil }
        }
        tokens[token.bytes] = token
    }

    /// Removes and returns the tokens of a key; all tokens if `keyID` is nil.
    package mutating func takeAll(of keyID: String?) -> [AcceptedToken] {
        let taken = tokens.values.filter { keyID == nil || $0.keyID == keyID }
        for token in taken { tokens[token.bytes] = nil }
        return taken
    }
}
