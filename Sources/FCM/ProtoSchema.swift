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

indirect enum ProtoType: Sendable {
    case string, bool, int32, float, duration, timestamp
    /// Any JSON object.
    case structure
    /// From strings to strings.
    case map
    case message(FCMSchema.Name)
    /// With the rest of its type's name.
    case enumeration(String, [String])

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
        case .enumeration(let name, _): "type.googleapis.com/google.firebase.fcm.v1.\(name)"
        }
    }
}
