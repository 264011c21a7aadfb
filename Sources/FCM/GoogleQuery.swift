internal import HTTPCore
internal import PushCore

/// The query of a request to Google: a call's own parameters, and those that every call takes (facts/fcm.md §1.2,
/// documented). Of several with one name the last counts.
struct GoogleQuery {
    private var fields: [(name: String, value: String)] = []

    private static let common = [
        "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
        "uploadType",
        "upload_protocol",
    ]

    init(_ request: Request) {
        let headers = request.headers
        guard let target = headers.range(of: .path),
            let mark = headers.storage.span.extracting(target).firstIndex(of: UInt8(ascii: "?"))
        else { return }
        fields = PercentCode.pairs(headers.storage[(target.lowerBound + mark + 1)..<target.upperBound])
    }

    subscript(name: String) -> String? { fields.last { $0.name == name }?.value }

    /// By either of its names.
    subscript(name: String, camel: String) -> String? { fields.last { $0.name == name || $0.name == camel }?.value }

    /// Answers are indented unless that is not wanted.
    var isPretty: Bool { self["prettyPrint"].map { !["false", "0"].contains($0) } ?? true }

    /// The credentials that a request has instead of the field `authorization`.
    var bearer: String? { self["access_token"] ?? self["oauth_token"] }

    /// Throws where there is a parameter that the call does not take (§1.2, from memory).
    func check(_ own: [String] = []) throws(GoogleError) {
        guard !fields.isEmpty else { return }
        let unknown = fields.map(\.name).filter { !Self.common.contains($0) && !own.contains($0) }
        if !unknown.isEmpty { throw .unbound(unknown) }
    }
}

/// Percent-encoding, as paths, queries and forms have it.
package enum PercentCode {
    /// `a=b&c=d`.
    package static func pairs(_ text: ArraySlice<UInt8>) -> [(name: String, value: String)] {
        text.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(parts[0]), parts.count == 2 ? decode(parts[1]) : "")
        }
    }

    /// - Parameter isForm: a plus is a blank.
    package static func decode(_ text: some Collection<UInt8>, isForm: Bool = true) -> String {
        var octets: [UInt8] = []
        var rest = Array(text)[...]
        while let octet = rest.popFirst() {
            if octet == UInt8(ascii: "%"), rest.count >= 2,
                let value = Hex.decode(Array(rest.prefix(2)).span)
            {
                octets += value
                rest = rest.dropFirst(2)
            } else {
                octets.append(isForm && octet == UInt8(ascii: "+") ? 0x20 : octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
