import APNs
import Devices
import PushCore
import Testing

@testable import PushEngine

/// Refused messages: their answers, and what the log says about them.
@Suite struct MessageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let members: String
        let answer: String
        let rule: String

        init(_ name: String, _ members: String, _ answer: String, _ rule: String) {
            (testDescription, self.members, self.answer, self.rule) = (name, members, answer, rule)
        }
    }

    /// `TOKEN` stands for the token of an Android device with the app `EngineFixture.app`, `FID` for its installation.
    static let refusals: [Row] = [
        Row("no target", #""data":{"a":"b"}"#, "400 INVALID_ARGUMENT", "fcm.no-target"),
        Row("an unknown field", #""token":"TOKEN","loud":true"#, "400 INVALID_ARGUMENT", "fcm.conversion"),
        Row("a number as data", #""token":"TOKEN","data":{"a":1}"#, "400 INVALID_ARGUMENT", "fcm.conversion"),
        Row("a reserved key", #""token":"TOKEN","data":{"google.a":"1"}"#, "400 INVALID_ARGUMENT", "fcm.reserved-key"),
        Row("a bad token", #""token":"abc""#, "400 INVALID_ARGUMENT", "fcm.token-malformed"),
        Row("a bad installation", #""fid":"abc""#, "404 UNREGISTERED", "fcm.UNREGISTERED"),
        Row("a bad topic", #""topic":"a b""#, "400 INVALID_ARGUMENT", "fcm.topic-name"),
        Row("a bad condition", #""condition":"'a' and 'b'""#, "400 INVALID_ARGUMENT", "fcm.condition"),
        Row("no aps", #""token":"TOKEN","apns":{"payload":{"a":1}}"#, "400 INVALID_ARGUMENT", "fcm.aps-missing"),
        Row("a magic token", #""token":"quota-exceeded:1""#, "429 QUOTA_EXCEEDED", "fcm.QUOTA_EXCEEDED"),
        Row("another magic token", #""token":"unregistered:1""#, "404 UNREGISTERED", "fcm.UNREGISTERED"),
        Row("a magic token with Apple's error", #""token":"internal.apns:1""#, "500 INTERNAL", "fcm.INTERNAL"),
        Row(
            "more than 4506 bytes", #""token":"TOKEN","data":{"a":"\#(String(repeating: "x", count: 4506))"}"#,
            "400 INVALID_ARGUMENT", "fcm.too-large"),
    ]

    @Test(arguments: refusals) func `a refused message is in the log with its rule and reaches no device`(row: Row) {
        let fixture = EngineFixture()
        fixture.silently { fixture.make("d", .android) }
        let members = row.members.replacing("TOKEN", with: fixture.fcmToken("d"))
        let answer = fixture.message(members)
        #expect(answer.description == row.answer)
        #expect(fixture.take() == ["refused p1 \(row.rule) \(row.answer)"])
        #expect(fixture.engine.devices.count == 1)
        #expect((fixture.engine.metrics.accepted, fixture.engine.metrics.refused) == (0, 1))
    }

    @Test(
        arguments: [
            ("", "401 UNAUTHENTICATED", "fcm.credentials-missing"),
            ("Basic abc", "401 UNAUTHENTICATED", "fcm.credentials-missing"),
            ("Bearer a b", "401 UNAUTHENTICATED", "fcm.credentials-invalid"),
            ("Bearer eyJh.b.c", "401 UNAUTHENTICATED", "fcm.credentials-type"),
        ])
    func `a sender without an access token is refused`(authorization: String, expected: String, rule: String) {
        let fixture = EngineFixture()
        let answer = fixture.message(#""token":"\#(EngineFixture.fcmToken)""#, ["authorization": authorization])
        #expect(answer.description == expected)
        #expect(fixture.take() == ["refused p1 \(rule) \(expected)"])
    }

    @Test func `strict authorization requires a token that was issued here for the project`() throws {
        let fixture = EngineFixture {
            $0.apns.auth = .strict
            $0.verifyServiceAccount = { account, _, signature in
                account == "a@demo.iam.gserviceaccount.com" ? signature == [1] : nil
            }
        }
        let members = #""token":"\#(EngineFixture.fcmToken)""#
        #expect(fixture.message(members).description == "401 UNAUTHENTICATED")
        let bearer = try #require(fixture.accessToken(for: "a@demo.iam.gserviceaccount.com"))
        #expect(fixture.message(members, ["authorization": "Bearer \(bearer)"]).status == 200)
        #expect(fixture.lastFindings == [])
        let other = fixture.message(members, project: "other", ["authorization": "Bearer \(bearer)"])
        #expect(other.description == "403 PERMISSION_DENIED")
        #expect(fixture.accessToken(for: "b@demo.iam.gserviceaccount.com") == nil)
        #expect(fixture.accessToken(for: "a@demo.iam.gserviceaccount.com", signature: [2]) == nil)
        fixture.advance(3_600_000)
        #expect(fixture.message(members, ["authorization": "Bearer \(bearer)"]).description == "401 UNAUTHENTICATED")
        #expect(fixture.take().last == "refused p4 fcm.credentials-expired 401 UNAUTHENTICATED")
    }

    @Test func `unknown tokens are refused if the policy says so`() {
        let fixture = EngineFixture { $0.apns.acceptsUnknownDevices = false }
        #expect(fixture.message(#""token":"\#(EngineFixture.fcmToken)""#).description == "404 UNREGISTERED")
        #expect(fixture.engine.devices.count == 0)
    }

    @Test func `the discontinued API answers 404, and the log says what to send`() {
        let fixture = EngineFixture()
        let answer = fixture.google("POST", "/fcm/send", body: #"{"to":"/topics/news","data":{"a":1}}"#)
        #expect(answer.status == 404)
        #expect(fixture.takeEvents().map { $0.why?.description } == ["fcm.legacy-gone"])
        #expect(!fixture.lastFindings.isEmpty)
        #expect(fixture.engine.metrics.refused == 1)
    }

    @Test(arguments: ["/v1/unknown", "/v2/projects/p/messages:send", "/"])
    func `other paths are not Google's`(path: String) {
        let fixture = EngineFixture()
        #expect(fixture.google("POST", path).status == 404)
        #expect(fixture.take().isEmpty)
    }

    @Test func `an uninstalled app's token is unregistered for good`() {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        let token = fixture.fcmToken("d")
        fixture.uninstall("d")
        #expect(fixture.message(#""token":"\#(token)""#).description == "404 UNREGISTERED")
        fixture.install("d")
        #expect(fixture.message(#""token":"\#(token)""#).description == "404 UNREGISTERED")
        #expect(fixture.message(to: "d").status == 200)
    }
}
