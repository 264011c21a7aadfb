internal import JSON
internal import PushCore

/// The sender's signature (RFC 8292), as the senders' libraries write it.
package struct VAPID {
    let key: [UInt8]
    /// The token's three parts.
    private let parts: [ArraySlice<UInt8>]
    private let claims: JSONDocument

    /// The claim `sub`: how to reach the sender.
    var subject: String? { claims.root["sub"]?.string }
    /// Whether the claim `sub` is a text, or missing.
    var hasTextualSubject: Bool { claims.root["sub"].map { $0.string != nil } ?? true }

    /// Checks a signature: (public key as 65 bytes, signed bytes, signature). Nil if the key is not on the curve.
    package typealias Verify = @Sendable (_ key: [UInt8], _ message: [UInt8], _ signature: [UInt8]) -> Bool?

    private static let longest = 8000
    private static let day: Int64 = 86_400

    /// - Parameter cryptoKey: the field `crypto-key`, which has the key in the old form of the signature.
    init(authorization: String, cryptoKey: String?) throws(VAPIDProblem) {
        guard authorization.utf8.count <= Self.longest else { throw .malformed }
        let words = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard words.count == 2 else { throw .noToken }
        let (token, text): (String?, String?)
        switch words[0].lowercased() {
        case "vapid": (token, text) = (Self.value("t", in: words[1]), Self.value("k", in: words[1]))
        case "webpush", "bearer":
            (token, text) = (String(words[1]), cryptoKey.flatMap { Self.value("p256ecdsa", in: $0[...]) })
        default: throw .unknownScheme
        }
        guard let token else { throw .noToken }
        guard let text else { throw .noKey }
        guard text.utf8.allSatisfy({ Base64URL.isDigit($0) || "+/=".utf8.contains($0) }) else { throw .keyIsNotBase64 }
        guard let key = Base64URL.decodeAny(text.utf8) else { throw .keyHasWrongLength }
        guard key.count == 65 else { throw .keyHasWrongLength }
        guard key.first == 4 else { throw .keyIsCompressed }
        self.key = key
        parts = Array(token.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let claims = Base64URL.decode(parts[1]),
            let document = try? JSONDocument(parsing: claims), document.root.kind == .object
        else { throw .malformed }
        self.claims = document
    }

    /// The value of `name=value` in a list whose parts are separated by `,` or `;`.
    static func value(_ name: String, in list: Substring) -> String? {
        for part in list.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            let words = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == name else { continue }
            return String(words[1].filter { $0 != "\"" && $0 != " " })
        }
        return nil
    }

    /// - Parameter hosts: the hosts that the request could have been meant for, without ports.
    func check(hosts: [String], at now: Timestamp, _ verify: Verify) throws(VAPIDProblem) {
        let signed = Array(parts[0]) + [UInt8(ascii: ".")] + parts[1]
        guard let head = Base64URL.decode(parts[0]), let header = try? JSONDocument(parsing: head),
            header.root["alg"]?.string == "ES256", let signature = Base64URL.decode(parts[2])
        else { throw .badSignature }
        guard let isValid = verify(key, signed, signature) else { throw .keyIsNotOnCurve }
        guard isValid else { throw .badSignature }
        guard let expiry = claims.root["exp"].flatMap({ $0.exactInteger }) else { throw .noExpiry }
        guard expiry > now.seconds else { throw .expired }
        guard expiry <= now.seconds + Self.day + 60 else { throw .expiresTooLate }
        guard let audience = claims.root["aud"]?.string, hosts.contains(Self.host(of: audience)) else {
            throw .badAudience
        }
    }

    /// The host of an origin, without its port. Some senders leave the port out.
    static func host(of origin: String) -> String {
        let rest = origin.lowercased().split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard rest.count == 3, rest[0] == "https:" || rest[0] == "http:" else { return "" }
        let authority = rest[2].prefix { $0 != "/" }
        guard !authority.hasPrefix("[") else { return String(authority.prefix { $0 != "]" }) + "]" }
        return String(authority.prefix { $0 != ":" })
    }
}

/// What is wrong with a signature.
enum VAPIDProblem: Error {
    case unknownScheme, noToken, noKey
    case keyIsNotBase64, keyHasWrongLength, keyIsCompressed, keyIsNotOnCurve
    /// The token is not a JWT.
    case malformed
    case badSignature, noExpiry, expired, expiresTooLate, badAudience

    var isAboutKey: Bool {
        switch self {
        case .keyIsNotBase64, .keyHasWrongLength, .keyIsCompressed, .keyIsNotOnCurve: true
        default: false
        }
    }
}
