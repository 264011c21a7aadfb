import JSON
import Platform
import Testing

@testable import FCM

/// The table of fields next to Google's description of the API (Tests/Conformance/fixtures/fcm.v1.json).
@Suite struct FCMSchemaTests {
    private static let schemas: JSONView? = {
        let bytes = (try? Files.read(FCMCase.fixture("fcm.v1.json"))) ?? []
        return (try? JSONDocument(parsing: bytes))?.root["schemas"]
    }()

    /// The type of a property, in the words of the description.
    private func described(_ property: JSONView) -> String {
        if let reference = property["$ref"]?.string {
            return reference.hasSuffix("LightSettings") ? "LightSettings" : reference
        }
        if property["enum"] != nil { return "enum" }
        return property["format"]?.string ?? property["additionalProperties"]?["type"]?.string.map { "map of \($0)" }
            ?? property["type"]?.string ?? ""
    }

    private func described(_ type: ProtoType) -> String {
        switch type {
        case .string: "string"
        case .bool: "boolean"
        case .int32: "int32"
        case .float: "float"
        case .duration: "google-duration"
        case .timestamp: "google-datetime"
        case .structure: "map of any"
        case .map: "map of string"
        case .message(let name): FCMSchema[name].name
        case .enumeration: "enum"
        }
    }

    @Test(arguments: FCMSchema.MessageType.allCases) func `every message has the fields of Google's description`(
        name: FCMSchema.MessageType
    ) throws {
        let message = FCMSchema[name]
        let properties = try #require(Self.schemas?[message.name]?["properties"], "\(message.name)")
        #expect(properties.count == message.fields.count)
        for row in message.fields {
            let property = try #require(properties[row.field.camel], "\(message.name).\(row.field.camel)")
            #expect((property["type"]?.string == "array") == row.isRepeated)
            #expect(described(property["items"] ?? property) == described(row.type), "\(message.name).\(row.field)")
            if case .enumeration(let type) = row.type {
                #expect(property["enum"]?.elements.compactMap(\.string) == type.values)
            }
        }
    }

    @Test func `the four targets are the only fields that exclude each other`() {
        let fields = FCMSchema.MessageType.allCases.flatMap { FCMSchema[$0].fields }.filter(\.isInOneof).map(\.field)
        #expect(fields == [.token, .topic, .condition, .fid])
    }

    @Test(arguments: [
        (FCMField.androidV2, "androidV2", "android_v2"),
        (.useAsV1DataMessage, "useAsV1DataMessage", "use_as_v1_data_message"),
        (.ttl, "ttl", "ttl"), (.bodyLocArgs, "bodyLocArgs", "body_loc_args"),
    ]) func `a field has two names`(field: FCMField, camel: String, snake: String) {
        #expect(field.camel == camel)
        #expect(field.snake == snake)
    }

    @Test func `the page has a table row for every field`() {
        let lines = FCMSchema.page.split(separator: "\n")
        let count = FCMSchema.MessageType.allCases.reduce(0) { $0 + FCMSchema[$1].fields.count }
        #expect(lines.filter { $0.hasPrefix("| `") }.count == count)
        #expect(lines.filter { $0.hasPrefix("## ") }.count == FCMSchema.MessageType.allCases.count)
        #expect(lines.contains("| `topic` | `topic` | string | exactly one of `token`, `topic`, `condition`, `fid` |"))
        #expect(lines.contains("| `priority` | `priority` | enum | `NORMAL` `HIGH` |"))
    }
}
