/// A message type of a protocol buffer as JSON has it: its fields, and which of them exclude each other.
struct ProtoMessage: Sendable {
    let name: String
    let fields: [ProtoField]
    /// At most one of these may be set.
    var oneof: (name: String, fields: [String])?

    /// As Google's error texts name a type.
    var typeURL: String { "type.googleapis.com/google.firebase.fcm.v1.\(name)" }
}

/// One field, known by its original name and by that in lower camel case.
struct ProtoField: Sendable {
    let name: String
    let type: ProtoType
    let isRepeated: Bool
    let octets: [UInt8]
    let camelOctets: [UInt8]

    var camel: String { String(decoding: camelOctets, as: UTF8.self) }

    init(_ name: String, _ type: ProtoType, isRepeated: Bool = false) {
        self.name = name
        self.type = type
        self.isRepeated = isRepeated
        octets = Array(name.utf8)
        let words = name.split(separator: "_")
        camelOctets = Array((words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()).utf8)
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

    private static let priorities = [
        "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH", "PRIORITY_MAX",
    ]
    private static let visibilities = ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]
    private static let table: [(name: String, values: [String])] = [
        ("AndroidConfig.AndroidMessagePriority", ["NORMAL", "HIGH"]), ("AndroidNotification.NotificationPriority", priorities),
        ("AndroidNotification.Visibility", visibilities),
        ("AndroidNotification.Proxy", ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
        ("AndroidNotificationV2.NotificationPriority", priorities), ("AndroidNotificationV2.Visibility", visibilities),
    ]
}
