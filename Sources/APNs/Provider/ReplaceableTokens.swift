/// The provider tokens for which a fault or a magic device token gave the answer ExpiredProviderToken. Their providers
/// may replace them at any time, on every connection.
///
/// Such a token still works until another one replaces it, because a fault changes the answers to the requests that it
/// matches, not the token.
package struct ReplaceableTokens: Sendable {
    /// Oldest first.
    private var tokens: [[UInt8]] = []

    /// Older tokens are forgotten.
    private static let capacity = 64
    /// Longer tokens are not remembered. A real token has about 200 bytes.
    private static let maxTokenLength = 1000

    func contains(_ token: [UInt8]) -> Bool { tokens.contains(token) }

    package mutating func add(_ token: [UInt8]) {
        guard token.count <= Self.maxTokenLength, !tokens.contains(token) else { return }
        if tokens.count == Self.capacity { tokens.removeFirst() }
        tokens.append(token)
    }
}
