import HTTPCore
import JSON
import PushEngine
import Testing

@testable import ControlAPI

/// Ending the tokens of senders, so that a backend has to renew them.
struct ExpireCredentialsTests {
    private static let path = "/credentials/expire"

    @Test func `all tokens, those of a key, and those of a project are ended`() throws {
        let host = TestHost()
        #expect(try host.ask(.post, Self.path) == ["expired": 0])
        #expect(host.push().status == 200)
        #expect(try host.ask(.post, Self.path, ["project": "shop"]) == ["expired": 0])
        #expect(host.push().status == 200)
        #expect(try host.ask(.post, Self.path, ["keyId": "FGHIJ67890"]) == ["expired": 1])
        let refused = host.push()
        #expect(refused.status == 403)
        #expect(try refused.json().at("reason") == "ExpiredProviderToken")
        #expect(try host.ask(.post, Self.path, [:]) == ["expired": 0])
    }

    static let bad: [(JSONValue, String)] = [
        (["project": nil], "/project"), (["keyId": nil], "/keyId"), (["project": ""], "/project"),
        (["project": 7], "/project"), (["keyId": "short"], "/keyId"), (["keyId": 7], "/keyId"),
        (["project": .string(String(repeating: "x", count: 256))], "/project"), (["key": "ABCDE12345"], "/key"),
    ]

    @Test(arguments: bad)
    func `a bad member is refused with its place, and ends nothing`(_ body: JSONValue, _ pointer: String) throws {
        let host = TestHost()
        #expect(host.push().status == 200)
        #expect(try host.problem(.post, Self.path, body) == .init(status: 400, code: "badField", pointer: pointer))
        #expect(host.push().status == 200)
    }
}
