internal import HTTPCore
package import PushCore

/// The fields of a push to APNs: its header fields and payload.
package enum APNsSchema {
    package static let fields = headerFields + payloadFields

    /// Below `/headers`.
    package static let headerFields: [PayloadField] = APNsField.allCases.compactMap { field in
        field.about.map {
            PayloadField(
                "/headers/\(String(decoding: field.name.bytes, as: UTF8.self))", .string,
                field.values.map { .string($0) }, $0)
        }
    }

    /// Below the root of the payload.
    package static let payloadFields: [PayloadField] =
        [PayloadField("/aps", .object, [], "What the system reads. All other keys are the app's own.")]
        + fields(APSKey.table + [APSKey.mutableContent], below: "/aps") + fields(APSKey.alertTable, below: "/aps/alert")
        + fields(APSKey.soundTable, below: "/aps/sound")

    private static func fields(_ keys: [APSKey], below parent: String) -> [PayloadField] {
        keys.map { key in
            let values: [JSONScalar] =
                key.shape == .zeroOrOne ? [.int(0), .int(1)] : key.values.words.map { .string($0) }
            return PayloadField("\(parent)/\(key.name)", key.shape.kind, values, "\(key.about)")
        }
    }
}

extension APSKey.Shape {
    fileprivate var kind: PayloadField.Kind {
        switch self {
        case .alert: .stringOrObject
        case .number: .number
        case .zeroOrOne: .integer
        case .string: .string
        case .object: .object
        case .strings: .strings
        case .bool: .boolean
        }
    }
}

extension APNsField {
    /// What the header field does, in one sentence; nil for a field that the payload's author does not choose.
    fileprivate var about: String? {
        switch self {
        case .path, .authorization: nil
        case .topic: "The bundle id of the app, with a suffix for some push types. Required with a provider token."
        case .id: "The push's own id, a UUID. Apple makes one if it is missing."
        case .pushType: "What kind of push it is. It must fit the payload and the topic."
        case .expiration:
            "When Apple stops keeping the push for a phone that is offline, in seconds since 1970; 0 if it is not to be kept."
        case .priority: "10 at once (default), 5 when the phone's battery allows it, 1 without waking the phone."
        case .collapseID: "A notification with the same id is replaced; at most 64 bytes."
        }
    }

    fileprivate var values: [String] {
        switch self {
        case .pushType: APNsPushType.allCases.map(\.rawValue)
        case .priority: ["10", "5", "1"]
        case .path, .authorization, .topic, .id, .expiration, .collapseID: []
        }
    }
}
