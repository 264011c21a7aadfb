package import HTTPCore

/// The header fields that matter for a device push. All others are ignored, as Apple documents (docs/evidence/apns.md
/// §1.6).
package enum APNsField: Int, Sendable, CaseIterable {
    case path, authorization, topic, id, pushType, expiration, priority, collapseID

    package var name: HeaderName { Self.names[rawValue] }

    /// In the order of the cases.
    private static let names: [HeaderName] = [
        .path, .authorization, .apnsTopic, .apnsID, .apnsPushType, HeaderName("apns-expiration"),
        HeaderName("apns-priority"), HeaderName("apns-collapse-id"),
    ]

    /// The case for the header field at this place; nil if no case has the field's name.
    fileprivate init?(_ place: HeaderBlock.Place, in headers: HeaderBlock) {
        guard let field = Self.candidates[Self.hash(place.quickKey)], headers.isNamed(place, field.name) else {
            return nil
        }
        self = field
    }

    /// The field for each hash, so that a name is compared with one field only.
    private static let candidates: InlineArray<32, APNsField?> = {
        var fields = InlineArray<32, APNsField?>(repeating: nil)
        for field in allCases { fields[hash(field.name.quickKey)] = field }
        return fields
    }()

    /// From the length and the last byte of a name. All cases have different hashes.
    private static func hash(_ quickKey: UInt32) -> Int { Int((quickKey >> 8 &* 3 &+ quickKey & 0xFF) & 31) }
}

extension HeaderName {
    package static let apnsTopic = HeaderName("apns-topic")
    package static let apnsID = HeaderName("apns-id")
    package static let apnsUniqueID = HeaderName("apns-unique-id")
    package static let apnsPushType = HeaderName("apns-push-type")
}

/// The positions of the `APNsField`s in a header block, found in one pass.
struct APNsFields {
    /// In the order of `APNsField`; the lower bound is -1 if the field is absent.
    private var places = InlineArray<8, Bounds>(repeating: Bounds(lower: -1, upper: -1))
    /// `authorization`, or a field that begins with `apns-`, occurs more than once.
    private(set) var isRepeated = false
    /// A field occurs more than once, or a field begins with `apns-` and is not one of `APNsField`. This is false for
    /// nearly every push, and then repeated and misspelled fields are not looked for.
    private(set) var isUnusual = false

    private struct Bounds {
        let lower: Int32
        let upper: Int32
    }

    init(_ headers: HeaderBlock) {
        let bytes = headers.storage.span
        let entries = headers.places.span
        var unknownNames: [Range<Int>] = []
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            index &+= 1
            if let field = APNsField(entry, in: headers) {
                note(field, entry)
            } else if entry.nameStart < entry.valueStart, bytes[Int(entry.nameStart)] == UInt8(ascii: "a"),
                bytes.extracting(entry.name).starts(with: Self.prefix)
            {
                unknownNames.append(entry.name)
            }
        }
        if !unknownNames.isEmpty { isUnusual = true }
        for (place, name) in unknownNames.enumerated() {
            let isDuplicate = unknownNames[..<place].contains { other in
                other.count == name.count && zip(other, name).allSatisfy { bytes[$0] == bytes[$1] }
            }
            if isDuplicate { isRepeated = true }
        }
    }

    /// The position of the value of the first field with this name; nil if there is no such field.
    subscript(_ field: APNsField) -> Range<Int>? {
        let bounds = places[field.rawValue]
        return bounds.lower < 0 ? nil : Int(bounds.lower)..<Int(bounds.upper)
    }

    private mutating func note(_ field: APNsField, _ place: HeaderBlock.Place) {
        if places[field.rawValue].lower < 0 {
            places[field.rawValue] = Bounds(
                lower: Int32(truncatingIfNeeded: place.valueStart), upper: Int32(truncatingIfNeeded: place.end))
        } else if field != .path {
            (isRepeated, isUnusual) = (true, true)
        }
    }

    private static let prefix = Array("apns-".utf8)
}
