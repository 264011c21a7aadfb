internal import JSON

/// A message type of a protocol buffer as JSON has it: its fields, and which of them exclude each other.
struct ProtoMessage: Sendable {
    let name: String
    let fields: [ProtoField]
    /// What those of its fields are together of which one at most may be set.
    var oneof: String?

    /// As Google's error texts name a type.
    var typeURL: String { "type.googleapis.com/google.firebase.fcm.v1.\(name)" }
}

/// One field, known by its original name and by that in lower camel case.
struct ProtoField: Sendable {
    let field: FCMField
    let type: ProtoType
    let isRepeated: Bool
    /// It excludes the others of its message's oneof.
    let isInOneof: Bool
    let rule: FieldRule?

    init(
        _ field: FCMField, _ type: ProtoType, isRepeated: Bool = false, oneof isInOneof: Bool = false,
        _ rule: FieldRule? = nil
    ) {
        self.field = field
        self.type = type
        self.isRepeated = isRepeated
        self.isInOneof = isInOneof
        self.rule = rule
    }
}

enum ProtoType: Sendable {
    case string, bool, int32, float, duration, timestamp
    /// Any JSON object.
    case structure
    /// From strings to strings.
    case map
    case message(FCMSchema.Name)
    case enumeration(ProtoEnum)

    var isScalar: Bool {
        switch self {
        case .message, .map, .structure: false
        case .string, .bool, .int32, .float, .duration, .timestamp, .enumeration: true
        }
    }

    /// As Google's error texts have it.
    var text: String {
        switch self {
        case .string: "TYPE_STRING"
        case .bool: "TYPE_BOOL"
        case .int32: "TYPE_INT32"
        case .float: "TYPE_FLOAT"
        case .duration: "type.googleapis.com/google.protobuf.Duration"
        case .timestamp: "type.googleapis.com/google.protobuf.Timestamp"
        case .structure: "type.googleapis.com/google.protobuf.Struct"
        case .map: "Map"
        case .message(let name): FCMSchema[name].typeURL
        case .enumeration(let type): "type.googleapis.com/google.firebase.fcm.v1.\(type.name)"
        }
    }
}

/// FCM's enumerations: the names of their types are from memory, their values documented.
enum ProtoEnum: Int, Sendable, CaseIterable {
    case priority, notificationPriority, visibility, proxy, notificationPriorityV2, visibilityV2

    var name: String { Self.table[rawValue].name }
    /// In the order of their numbers.
    var values: [String] { Self.table[rawValue].values }

    /// By a name in any case, with `-` for `_`.
    func number(of text: ArraySlice<UInt8>) -> Int? {
        for (number, name) in Self.octets[rawValue].enumerated() where name.count == text.count {
            let isSame = zip(name, text).allSatisfy { wanted, octet in
                let letter = octet == UInt8(ascii: "-") ? UInt8(ascii: "_") : octet
                return wanted == (UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter ? letter & 0xDF : letter)
            }
            if isSame { return number }
        }
        return nil
    }

    private static let octets = table.map { $0.values.map { Array($0.utf8) } }

    private static let priorities = [
        "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH", "PRIORITY_MAX",
    ]
    private static let visibilities = ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]
    /// The values in the order of their numbers.
    private static let table: [(name: String, values: [String])] = [
        ("AndroidConfig.AndroidMessagePriority", ["NORMAL", "HIGH"]),
        ("AndroidNotification.NotificationPriority", priorities),
        ("AndroidNotification.Visibility", visibilities),
        ("AndroidNotification.Proxy", ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
        ("AndroidNotificationV2.NotificationPriority", priorities), ("AndroidNotificationV2.Visibility", visibilities),
    ]
}
