package import HTTPCore

/// The request fields that a device push is judged by; all others are ignored, as Apple says (facts/apns.md §1.6).
package enum APNsField: Int, Sendable, CaseIterable {
    case path, authorization, topic, id, pushType, expiration, priority, collapseID

    package var name: HeaderName { Self.names[rawValue] }

    /// In the order of the cases.
    private static let names: [HeaderName] = [
        .path, .authorization, .apnsTopic, .apnsID, .apnsPushType, HeaderName("apns-expiration"),
        HeaderName("apns-priority"), HeaderName("apns-collapse-id"),
    ]
    fileprivate static let marks = names.map(\.mark)
}

extension HeaderName {
    package static let apnsTopic = HeaderName("apns-topic")
    package static let apnsID = HeaderName("apns-id")
    package static let apnsPushType = HeaderName("apns-push-type")
}

/// Where those fields lie in a request's block, found in one walk.
struct APNsFields {
    private var places = InlineArray<8, Range<Int>>(repeating: 0..<0)
    private var found = 0
    /// `authorization`, or a field that begins with `apns-`, came twice.
    private(set) var isRepeated = false

    init(_ headers: HeaderBlock) {
        let octets = headers.storage.span
        let entries = headers.places.span
        var strangers: [Range<Int>] = []
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            index &+= 1
            let first = entry.name.isEmpty ? 0 : octets[entry.name.lowerBound]
            guard first == UInt8(ascii: "a") || first == UInt8(ascii: ":") else { continue }
            if let field = Self.field(entry, headers) {
                if found & 1 << field != 0, field > 0 { isRepeated = true } else { places[field] = entry.value }
                found |= 1 << field
            } else if octets.extracting(entry.name).starts(with: Self.prefix) {
                strangers.append(entry.name)
            }
        }
        for (place, name) in strangers.enumerated() {
            let isTwin = strangers[..<place].contains { other in
                other.count == name.count && zip(other, name).allSatisfy { octets[$0] == octets[$1] }
            }
            if isTwin { isRepeated = true }
        }
    }

    /// Nil where the field is absent.
    subscript(field: APNsField) -> Range<Int>? { found & 1 << field.rawValue != 0 ? places[field.rawValue] : nil }

    private static let prefix = Array("apns-".utf8)

    private static func field(_ entry: HeaderBlock.Place, _ headers: HeaderBlock) -> Int? {
        for (index, mark) in APNsField.marks.enumerated() where mark == entry.mark {
            if headers.isNamed(entry, APNsField.allCases[index].name) { return index }
        }
        return nil
    }
}
