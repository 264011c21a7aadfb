import APNs
import Devices
import FCM
import JSON
import PushCore
import Testing

@testable import PushEngine

/// What a message is answered, and what the log says about it.
@Suite struct MessageTests {
    static let known = #""token":"TOKEN""#

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
            "more than 4096 bytes", #""token":"TOKEN","data":{"a":"\#(String(repeating: "x", count: 4096))"}"#,
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

    @Test func `strict authorization wants a token that was issued here, for the project`() throws {
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

    /// The message, and the platform and app of the device that appears for an unknown token.
    @Test(
        arguments: [
            (#""data":{"a":"b"}"#, .android, EngineFixture.project),
            (#""android":{"restrictedPackageName":"com.example.app"}"#, .android, "com.example.app"),
            (#""apns":{"payload":{"aps":{"alert":"a"}}}"#, .ios, EngineFixture.project),
            (#""apns":{"payload":{"aps":{"alert":"a"}}},"webpush":{}"#, .android, EngineFixture.project),
        ] as [(String, Device.Platform, String)])
    func `a message to an unknown token makes a device`(members: String, platform: Device.Platform, app: String) {
        let fixture = EngineFixture()
        #expect(fixture.message(#""token":"\#(EngineFixture.fcmToken)",\#(members)"#).status == 200)
        #expect(fixture.device("d1").platform == platform)
        #expect(fixture.device("d1").app == app)
        #expect(fixture.device("d1").isImplicit)
        let events = fixture.take()
        #expect(events.prefix(2) == ["registered d1", "accepted p1 d1 200"])
        #expect(events.last?.hasPrefix("delivered p1 d1") == true)
        // Its installation id is known now.
        #expect(fixture.message(#""fid":"\#(fixture.device("d1").fid)",\#(members)"#).status == 200)
        #expect(fixture.engine.devices.count == 1)
    }

    @Test func `unknown tokens are refused if the policy says so`() {
        let fixture = EngineFixture { $0.apns.acceptsUnknownDevices = false }
        #expect(fixture.message(#""token":"\#(EngineFixture.fcmToken)""#).description == "404 UNREGISTERED")
        #expect(fixture.engine.devices.count == 0)
    }

    @Test func `a device of another project is a mismatch, and one without a project accepts all`() {
        let fixture = EngineFixture()
        fixture.make("own", .android, #""project":"demo""#)
        fixture.make("other", .android, #""project":"other""#)
        fixture.make("any", .android)
        #expect(fixture.message(to: "own").status == 200)
        #expect(fixture.message(to: "other").description == "403 SENDER_ID_MISMATCH")
        #expect(fixture.message(to: "any").status == 200)
        #expect(fixture.message(to: "any", project: "third").status == 200)
    }

    @Test func `a dry run is accepted and reaches no device`() {
        let fixture = EngineFixture()
        fixture.silently { fixture.make("d", .android) }
        let answer = fixture.message(#""token":"\#(fixture.fcmToken("d"))""#, isDryRun: true)
        #expect(answer.status == 200)
        #expect(answer.json?["name"]?.string?.hasSuffix("/messages/fake_message_id") == true)
        #expect(fixture.take() == ["accepted p1 200"])
        // Neither does one to an unknown token make a device.
        fixture.message(#""token":"\#(EngineFixture.fcmToken)""#, isDryRun: true)
        #expect(fixture.engine.devices.count == 1)
    }

    @Test func `a message's name is its project's, and the event has it`() {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        let answer = fixture.message(to: "d")
        let name = answer.json?["name"]?.string ?? ""
        #expect(name.hasPrefix("projects/demo/messages/0:"))
        #expect(name.hasSuffix(fixture.lastRecord?.name ?? "-"))
        #expect(fixture.lastRecord?.provider == .fcm)
        let again = EngineFixture()
        again.make("d", .android)
        #expect(again.message(to: "d").json?["name"]?.string == name)
    }

    @Test func `topics without subscribers are accepted with a finding`() {
        let fixture = EngineFixture()
        fixture.message(#""topic":"news""#)
        #expect(fixture.lastFindings.contains("fcm.no-subscribers"))
        fixture.message(#""condition":"'news' in topics""#)
        #expect(fixture.lastFindings.contains("fcm.no-subscribers"))
        #expect(fixture.take() == ["accepted p1 200", "accepted p2 200"])
        fixture.make("d", .android)
        fixture.subscribe("d", to: "news")
        fixture.message(#""topic":"news""#)
        #expect(!fixture.lastFindings.contains("fcm.no-subscribers"))
    }

    @Test func `the API that is gone answers 404, and the log says what to send`() {
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

extension EngineFixture {
    /// A message to a device's own token.
    @discardableResult func message(to id: String, _ members: String = #""data":{"a":"b"}"#, project: String = project)
        -> Answer
    {
        message(#""token":"\#(fcmToken(id))"\#(members.isEmpty ? "" : ",")\#(members)"#, project: project)
    }

    /// Signs in as a service account does. Nil if that is refused.
    func accessToken(for account: String, signature: [UInt8] = [1]) -> String? {
        let claims = """
            {"iss":"\(account)","scope":"https://www.googleapis.com/auth/firebase.messaging",\
            "aud":"https://oauth2.googleapis.com/token","iat":\(now.seconds),"exp":\(now.seconds + 3600)}
            """
        let assertion = [Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8), Array(claims.utf8), signature]
            .map { Base64URL.encode($0) }.joined(separator: ".")
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        return google("POST", "/token", body: form).json?["access_token"]?.string
    }
}
