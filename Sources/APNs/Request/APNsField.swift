package import HTTPCore

/// The header fields that matter for a device push. All others are ignored, as Apple documents (docs/evidence/apns.md
/// §1.6).
package enum APNsField: Int, Sendable, CaseIterable {
    case path, authorization, topic, id, pushType, expiration, priority, collapseID

    package var name: HeaderName { Self.names[rawValue] }

    fileprivate static func at(_ index: Int) -> APNsField { APNsField(rawValue: index) ?? .path }

    /// In the order of the cases.
    private static let names: [HeaderName] = [
        .path, .authorization, .apnsTopic, .apnsID, .apnsPushType, HeaderName("apns-expiration"),
        HeaderName("apns-priority"), HeaderName("apns-collapse-id"),
    ]
    fileprivate static let quickKeys = names.map(\.quickKey)
}

extension HeaderName {
    package static let apnsTopic = HeaderName("apns-topic")
    package static let apnsID = HeaderName("apns-id")
    static let apnsUniqueID = HeaderName("apns-unique-id")
    package static let apnsPushType = HeaderName("apns-push-type")
}

/// The positions of the `APNsField`s in a header block, found in one pass.
struct APNsFields {
    private(set) var path: Range<Int>?
    private(set) var authorization: Range<Int>?
    private(set) var topic: Range<Int>?
    private(set) var id: Range<Int>?
    private(set) var pushType: Range<Int>?
    private(set) var expiration: Range<Int>?
    private(set) var priority: Range<Int>?
    private(set) var collapseID: Range<Int>?
    /// `authorization`, or a field that begins with `apns-`, occurs more than once.
    private(set) var isRepeated = false

    init(_ headers: HeaderBlock) {
        let bytes = headers.storage.span
        let entries = headers.places.span
        let quickKeys = APNsField.quickKeys.span
        var unknownNames: [Range<Int>] = []
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            index &+= 1
            let first = entry.valueStart > entry.nameStart ? bytes[Int(entry.nameStart)] : 0
            guard first == UInt8(ascii: "a") || entry.quickKey == quickKeys[APNsField.path.rawValue] else { continue }
            var field = 0
            while field < quickKeys.count,
                quickKeys[field] != entry.quickKey || !headers.isNamed(entry, APNsField.at(field).name)
            {
                field &+= 1
            }
            if field < quickKeys.count {
                note(APNsField.at(field), Int(entry.valueStart)..<Int(entry.end))
            } else if bytes.extracting(entry.name).starts(with: Self.prefix) {
                unknownNames.append(entry.name)
            }
        }
        for (place, name) in unknownNames.enumerated() {
            let isDuplicate = unknownNames[..<place].contains { other in
                other.count == name.count && zip(other, name).allSatisfy { bytes[$0] == bytes[$1] }
            }
            if isDuplicate { isRepeated = true }
        }
    }

    private mutating func note(_ field: APNsField, _ place: Range<Int>) {
        func set(_ known: inout Range<Int>?) { if known == nil { known = place } else { isRepeated = true } }
        switch field {
        case .path: path = path ?? place
        case .authorization: set(&authorization)
        case .topic: set(&topic)
        case .id: set(&id)
        case .pushType: set(&pushType)
        case .expiration: set(&expiration)
        case .priority: set(&priority)
        case .collapseID: set(&collapseID)
        }
    }

    private static let prefix = Array("apns-".utf8)
}
