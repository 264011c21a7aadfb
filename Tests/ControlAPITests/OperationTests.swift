import Faults
import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// What programs that generate clients read in the OpenAPI document.
struct OperationTests {
    private static func document() throws -> JSONValue {
        guard let answer = OpenAPI.answer(TestHost.request(.get, "/openapi.json", [], [])) else {
            throw Unexpected("there is no document")
        }
        return try TestHost.Answer(answer).json()
    }

    @Test func `every operation has its own id and a tag that is listed`() throws {
        let document = try Self.document()
        let operations = document.at("paths").members.flatMap { path, item in
            item.members.map { ("\($0.key) \(path)", $0.value) }
        }
        let ids = operations.compactMap { $0.1.at("operationId").text }
        #expect(Set(ids).count == operations.count)
        #expect(ids.allSatisfy { $0.utf8.allSatisfy { 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 } }, "\(ids)")
        let named = Dictionary(uniqueKeysWithValues: operations.map { ($0.0, $0.1.at("operationId").text) })
        for (operation, id) in [
            ("get /messages", "getMessages"), ("get /messages/{id}", "getMessage"),
            ("get /devices/{id}/shade", "getDeviceShade"), ("post /expect", "postExpect"),
            ("put /topics/{name}/devices/{id}", "putTopicDevice"),
            ("post /credentials/apns-keys", "postCredentialsApnsKeys"),
        ] { #expect(named[operation] == id, "\(operation)") }
        let listed = document.at("tags").elements.compactMap { $0.at("name").text }
        #expect(Set(listed).count == listed.count)
        let used = operations.flatMap { $0.1.at("tags").elements.compactMap(\.text) }
        #expect(used.count == operations.count && Set(used) == Set(listed))
    }

    @Test func `a cursor and the next cursor have one type, and every list takes both parameters`() throws {
        let document = try Self.document()
        var lists = 0
        for (path, item) in document.at("paths").members {
            guard let operation = item["get"] else { continue }
            var schema = operation.at("responses", "200", "content", "application/json", "schema")
            if let name = schema["$ref"]?.text?.split(separator: "/").last {
                schema = document.at("components", "schemas", .key(String(name)))
            }
            let parameters = operation.at("parameters").elements
            let cursor = parameters.first { $0.at("name") == "cursor" }
            #expect((schema["properties"]?["next"] != nil) == (cursor != nil), "\(path)")
            guard let cursor else { continue }
            lists += 1
            #expect(parameters.contains { $0.at("name") == "limit" }, "\(path)")
            #expect(schema.at("properties", "next", "anyOf") == [cursor.at("schema"), ["type": "null"]], "\(path)")
        }
        #expect(lists == 14)
    }

    @Test func `every kind of effect has a type`() throws {
        let effect = try Self.document().at("components", "schemas", "Effect")
        #expect(effect.at("properties").keys == Set(FaultEffect.kindNames))
        #expect(effect.at("properties", "wire", "enum").elements.count == NamedFault.allCases.count)
        let member = try Self.document().at("components", "schemas", "FaultSpec", "properties", "effect")
        #expect(member.at("anyOf", 0) == ["$ref": "#/components/schemas/Effect"])
        #expect(member.at("anyOf", 1, "items") == ["$ref": "#/components/schemas/Effect"])
    }
}
