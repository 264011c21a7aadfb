import Platform
import PushpitTesting
import Testing

/// Payloads and messages that real senders wrote (Tests/Conformance/fixtures).
enum Sample {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try #require(try Files.read("/\(folder)/Conformance/fixtures/\(name)"))
    }

    static func json(_ name: String) throws -> TestJSON { try TestJSON(parsing: bytes("samples/\(name)")) }

    /// Adobe's payload for an iPhone: an alert with media that also wakes the app.
    static func appleAlert() throws -> TestJSON { try json("adobe-ios.json") }
    /// The same as a tester sent it: without media and ids.
    static func testerAlert() throws -> TestJSON { try json("adobe-ios-tester.json") }
    /// Adobe's payload for Android, in the format of the discontinued API.
    static func legacyMessage() throws -> TestJSON { try json("adobe-android.json") }

    /// URLs of images, and the rule that refuses each.
    static let imageURLs: [(url: String, rule: String?)] = [
        ("https://foo.bar.pizza-monster.png", "media.no-file-extension"), ("https://foo.bar/pizza-monster.png", nil),
        ("http://adobegiphy.com?test=123", "media.no-file-extension"),
    ]

    /// An iPhone whose app reports to Adobe. Only the second of its categories reports a dismissal.
    static func iPhone(_ more: TestJSON = [:]) -> TestJSON {
        let spec: TestJSON = [
            "tracking": ["profile": "adobe", "ecid": "E"],
            "categories": [["id": "NEW_MESSAGE_CATEGORY"], ["id": "DEFAULT", "customDismissAction": true]],
        ]
        return spec.merging(more)
    }
}

extension TestJSON {
    /// This object and its `aps` without some members.
    func without(_ keys: String...) -> TestJSON {
        func drop(_ value: TestJSON) -> TestJSON {
            TestJSON(members: value.keys.filter { !keys.contains($0) }.map { ($0, value[$0]) })
        }
        let rest = drop(self)
        return rest["aps"].isNull ? rest : rest.merging(["aps": drop(rest["aps"])])
    }
}

extension Array where Element == TestJSON {
    /// The data of the events of a kind.
    func data(of kind: String) -> [TestJSON] {
        filter { $0["type"] == "event" && $0["kind"].string == kind }.map { $0["data"] }
    }

    /// The payloads of the pushes.
    var payloads: [TestJSON] { filter { $0["type"] == "push" }.map { $0["payload"] } }
}
