internal import HTTPCore
internal import JSON
internal import PushCore

/// A provider's JWT, read and not yet believed (facts/apns.md §3.1).
package struct ProviderToken: Sendable, Equatable {
    package let keyID: String
    package let team: String
    /// Seconds since 1970.
    package let issuedAt: Int64
    /// What the signature is over: the first two parts and the dot between them.
    package let message: [UInt8]
    /// 64 octets of r and s, or DER: both are seen.
    package let signature: [UInt8]

    /// How many characters key and team ids have.
    private static let idCount = 10

    /// Seconds either way that an `iat` may have: milliseconds of them can be added and subtracted without care.
    private static let longest = 1e15

    /// Nil where it is no JWT that Apple could take. `typ` and further claims don't matter, nor does a missing `alg`.
    package init?(_ text: Span<UInt8>) {
        var octets: [UInt8] = []
        octets.append(addingCapacity: text.count) { $0.append(text) }
        let parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2]), !signature.isEmpty,
            head["alg"]?.equals("ES256") ?? true,
            let keyID = head["kid"]?.string, Self.isID(keyID),
            let team = claims["iss"]?.string, Self.isID(team),
            let issuedAt = Self.seconds(claims["iat"])
        else { return nil }
        self.keyID = keyID
        self.team = team
        self.issuedAt = issuedAt
        self.signature = signature
        message = Array(octets[..<(parts[2].startIndex - 1)])
    }

    private static func object(_ part: ArraySlice<UInt8>) -> JSONView? {
        guard let bytes = Base64URL.decode(part), let root = try? JSONDocument(parsing: bytes).root,
            root.kind == .object
        else { return nil }
        return root
    }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == idCount
            && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    /// A number, or a string of digits: APNSwift sends that.
    private static func seconds(_ value: JSONView?) -> Int64? {
        let number = value?.string.flatMap(Int64.init).map(Double.init) ?? value?.double
        guard let number, abs(number) < longest else { return nil }
        return Int64(number.rounded(.down))
    }
}
