import HTTPCore
import JSON
import PushEngine
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

    @Test func `every operation has an id of its own and a tag that is listed`() throws {
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

    @Test func `every kind of effect has a type`() throws {
        let effect = try Self.document().at("components", "schemas", "Effect")
        #expect(effect.at("properties").keys == Set(FaultEffect.kindNames))
        #expect(effect.at("properties", "wire", "enum").elements.count == WireFault.allCases.count)
        let member = try Self.document().at("components", "schemas", "FaultSpec", "properties", "effect")
        #expect(member.at("anyOf", 0) == ["$ref": "#/components/schemas/Effect"])
        #expect(member.at("anyOf", 1, "items") == ["$ref": "#/components/schemas/Effect"])
    }
}
