internal import HTTPCore
internal import JSON
internal import PushCore

/// A provider's JWT, parsed but not yet verified (docs/evidence/apns.md §3.1).
package struct ProviderToken: Sendable, Equatable {
    package let keyID: String
    package let team: String
    /// Whether the header has `alg`. Apple documents it as required, but its own sample token lacks it.
    package let namesAlgorithm: Bool
    /// Whether the header has `crit`, which lists extensions that a server must know (RFC 7515 §4.1.11).
    package let hasCriticalFields: Bool
    /// Seconds since 1970.
    package let issuedAt: Int64
    /// The signed bytes: the first two parts and the dot between them.
    package let message: [UInt8]
    /// 64 bytes of r and s, or DER. Clients send either.
    package let signature: [UInt8]

    /// The number of characters of key and team ids.
    private static let idLength = 10

    /// The largest accepted `iat`, in seconds before or after 1970. In milliseconds, such a value can be added and
    /// subtracted without overflow.
    private static let maxSeconds = 1e15

    /// Nil unless the text is a JWT with a valid `iat`, and with a key id and a team id in Apple's format. `typ` and
    /// additional claims don't matter.
    package init?(_ text: Span<UInt8>) {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: text.count) { $0.append(text) }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2]), !signature.isEmpty,
            head["alg"]?.equals("ES256") ?? true,
            let keyID = head["kid"]?.string, Self.isID(keyID),
            let team = claims["iss"]?.string, Self.isID(team),
            let issuedAt = Self.seconds(claims["iat"])
        else { return nil }
        namesAlgorithm = head["alg"] != nil
        hasCriticalFields = head["crit"] != nil
        self.keyID = keyID
        self.team = team
        self.issuedAt = issuedAt
        self.signature = signature
        message = Array(bytes[..<(parts[2].startIndex - 1)])
    }

    static func object(_ part: ArraySlice<UInt8>) -> JSONView? {
        guard let bytes = Base64URL.decode(part), let root = try? JSONDocument(parsing: bytes).root,
            root.kind == .object
        else { return nil }
        return root
    }

    static func isID(_ text: String) -> Bool {
        text.utf8.count == idLength
            && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    /// Seconds from a number, which may have a fraction (Python's apns2 sends one), or from a string of digits
    /// (APNSwift sends one).
    private static func seconds(_ value: JSONView?) -> Int64? {
        let text = value?.string
        // Swift would read a plus sign too.
        if text?.utf8.first == UInt8(ascii: "+") { return nil }
        let number = text.flatMap { Int64($0) }.map(Double.init) ?? value?.double
        guard let number, abs(number) < maxSeconds else { return nil }
        return Int64(number.rounded(.down))
    }
}
