internal import JSON
internal import PushCore

/// The parts of a JWT. The signature is not verified.
struct JWT {
    let header: JSONView
    let claims: JSONView
    /// Nil if it is empty or not base64url.
    let signature: [UInt8]?
    /// The signed bytes.
    let message: [UInt8]
    /// Whether `bearer` came before the token, as in an Authorization header.
    let hasPrefix: Bool

    /// The longest text to look at, in bytes. Tokens have less than 4 KiB.
    private static let maximumBytes = 32 << 10
    private static let field = "authorization:"
    private static let scheme = "bearer "

    /// Nil unless the text has three parts of which the first two are JSON objects.
    init?(_ text: String) {
        var token = text[...]
        var hasPrefix = false
        if token.prefix(Self.field.count).lowercased() == Self.field {
            token = token.dropFirst(Self.field.count).drop(while: \.isWhitespace)
        }
        if token.prefix(Self.scheme.count).lowercased() == Self.scheme {
            token = token.dropFirst(Self.scheme.count).drop(while: \.isWhitespace)
            hasPrefix = true
        }
        guard token.utf8.count <= Self.maximumBytes else { return nil }
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let first = parts.first, let last = parts.last, let middle = parts.dropFirst().first,
            let header = Base64URL.decode(first).flatMap(Subject.object),
            let claims = Base64URL.decode(middle).flatMap(Subject.object)
        else { return nil }
        self.header = header
        self.claims = claims
        self.hasPrefix = hasPrefix
        let signature = Base64URL.decode(last)
        self.signature = signature?.isEmpty == true ? nil : signature
        message = Array(token.utf8.dropLast(last.count).dropLast())
    }

    /// Reads seconds since 1970 from a number or a string of digits. Nil if the value is something else, or too large.
    static func seconds(_ value: JSONView?) -> Int64? {
        let number = value?.string.flatMap { Int64($0) }.map(Double.init) ?? value?.double
        guard let number, abs(number) < 1e15 else { return nil }
        return Int64(exactly: number.rounded(.down))
    }

    /// Larger numbers are taken for milliseconds. As seconds, this one is in the year 5138; as milliseconds, in 1973.
    static let firstMilliseconds: Int64 = 100_000_000_000

    func text(_ name: String) -> String? { claims[name]?.string }
}

extension JSONView {
    /// The value in one pair of quotes, for messages. A string has no further quotes of JSON inside them.
    var shownQuoted: String { (string ?? shown).quoted }
}
