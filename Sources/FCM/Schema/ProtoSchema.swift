internal import JSON

/// A message type of a protocol buffer: its fields, and which of them exclude each other.
struct ProtoMessage: Sendable {
    let name: String
    let fields: [ProtoField]
    /// The name of the group of fields of which at most one may be set.
    var oneof: String?

    /// The type's name in Google's error texts.
    var typeURL: String { "type.googleapis.com/google.firebase.fcm.v1.\(name)" }
}

/// A field of a message type.
struct ProtoField: Sendable {
    let field: FCMField
    let type: ProtoType
    let isRepeated: Bool
    /// It belongs to its message's oneof and excludes the oneof's other fields.
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
    /// A map from strings to strings.
    case map
    case message(FCMSchema.MessageType)
    case enumeration(ProtoEnum)

    var isScalar: Bool {
        switch self {
        case .message, .map, .structure: false
        case .string, .bool, .int32, .float, .duration, .timestamp, .enumeration: true
        }
    }

    /// The type's name in Google's error texts.
    var errorName: String {
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

/// FCM's enumerations. The names of their types are from memory. Their values are documented.
enum ProtoEnum: Int, Sendable, CaseIterable {
    case priority, notificationPriority, visibility, proxy, notificationPriorityV2, visibilityV2

    var name: String { Self.table[rawValue].name }
    /// The names of the values in the order of their numbers.
    var values: [String] { Self.table[rawValue].values }

    /// The number of the value with this name, in any case and with `-` or `_`.
    func number(of text: ArraySlice<UInt8>) -> Int? {
        for (number, name) in Self.valueBytes[rawValue].enumerated() where name.count == text.count {
            let matches = zip(name, text).allSatisfy { expected, byte in
                let letter = byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte
                return expected == (UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter ? letter & 0xDF : letter)
            }
            if matches { return number }
        }
        return nil
    }

    private static let valueBytes = table.map { $0.values.map { Array($0.utf8) } }

    private static let priorities = [
        "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH", "PRIORITY_MAX",
    ]
    private static let visibilities = ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]
    private static let table: [(name: String, values: [String])] = [
        ("AndroidConfig.AndroidMessagePriority", ["NORMAL", "HIGH"]),
        ("AndroidNotification.NotificationPriority", priorities),
        ("AndroidNotification.Visibility", visibilities),
        ("AndroidNotification.Proxy", ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
        ("AndroidNotificationV2.NotificationPriority", priorities), ("AndroidNotificationV2.Visibility", visibilities),
    ]
}
