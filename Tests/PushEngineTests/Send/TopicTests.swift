import Devices
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Subscriptions to topics, by Google's two APIs and by devices themselves.
@Suite struct TopicTests {
    private static func fixture() -> EngineFixture {
        let fixture = EngineFixture()
        fixture.silently {
            fixture.make("a", .android, #""project":"demo""#)
            fixture.make("b", .android)
        }
        return fixture
    }

    private static let iid = ["access_token_auth": "true"]

    private static func path(_ fixture: EngineFixture, _ id: String, project: String = "demo") -> String {
        "/v1/projects/\(project)/registrations/\(fixture.fcmToken(id))/topicSubscriptions"
    }

    @Test func `a device subscribes and unsubscribes, and its topics follow`() {
        let fixture = Self.fixture()
        #expect(fixture.perform(.setTopic("news", isSubscribed: true), on: "a") == nil)
        // As SDKs write it, and a second time.
        #expect(fixture.perform(.setTopic("/topics/sport", isSubscribed: true), on: "a") == nil)
        #expect(fixture.perform(.setTopic("sport", isSubscribed: true), on: "a") == nil)
        #expect(fixture.take() == ["subscribed a news", "subscribed a sport"])
        #expect(fixture.device("a").topics.keys.sorted() == ["news", "sport"])
        #expect(fixture.perform(.setTopic("news", isSubscribed: false), on: "a") == nil)
        #expect(fixture.perform(.setTopic("news", isSubscribed: false), on: "a") == nil)
        #expect(fixture.take() == ["unsubscribed a news"])
        #expect(fixture.device("a").topics.keys.sorted() == ["sport"])
    }

    @Test(arguments: ["", "a b", "a/b", String(repeating: "x", count: 901)])
    func `a topic's name has certain characters and at most 900`(name: String) {
        let fixture = Self.fixture()
        #expect(fixture.perform(.setTopic(name, isSubscribed: true), on: "a")?.pointer == "/name")
        #expect(fixture.take().isEmpty)
        #expect(fixture.perform(.setTopic(String(repeating: "x", count: 900), isSubscribed: true), on: "a") == nil)
    }

    @Test func `a device without a registration or without the app has no topics`() {
        let fixture = Self.fixture()
        fixture.perform(.deleteToken(.fcm), on: "a")
        fixture.uninstall("b")
        _ = fixture.take()
        for id in ["a", "b"] {
            #expect(
                fixture.perform(.setTopic("news", isSubscribed: true), on: id)?.message.contains("FCM registration")
                    == true)
        }
        #expect(fixture.take().isEmpty)
    }

    @Test func `a device subscribes although its token is the start of another device's token`() {
        let fixture = EngineFixture()
        let token = "cAAAAAAAAAAAAAAAAAAAAA"
        fixture.make("short", .android, #""tokens":{"fcm":{"token":"\#(token)"}}"#)
        let longer = token + ":APA91b" + String(repeating: "x", count: 134)
        #expect(fixture.message(#""token":"\#(longer)","data":{"a":"b"}"#).status == 200)
        fixture.delete("d1")
        _ = fixture.take()
        #expect(fixture.perform(.setTopic("news", isSubscribed: true), on: "short") == nil)
        #expect(fixture.take() == ["subscribed short news"])
    }

    @Test func `the Instance ID API changes many devices at once`() {
        let fixture = Self.fixture()
        let tokens = [fixture.fcmToken("a"), EngineFixture.fcmToken, fixture.fcmToken("b")]
        let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
        let body = #"{"to":"/topics/news","registration_tokens":[\#(list)]}"#
        let added = fixture.google("POST", "/iid/v1:batchAdd", Self.iid, body: body)
        #expect(added.json?["results"]?.elements.map { $0["error"]?.string } == [nil, "NOT_FOUND", nil])
        #expect(fixture.take() == ["subscribed a news", "subscribed b news"])
        fixture.google("POST", "/iid/v1:batchAdd", Self.iid, body: body)
        #expect(fixture.take() == [])
        fixture.google("POST", "/iid/v1:batchRemove", Self.iid, body: body)
        #expect(fixture.take() == ["unsubscribed a news", "unsubscribed b news"])
    }

    @Test func `the Instance ID API shows a registration and its topics`() {
        let fixture = Self.fixture()
        fixture.subscribe("b", to: "news")
        let info = fixture.google("GET", "/iid/info/\(fixture.fcmToken("b"))?details=true", Self.iid)
        #expect(info.status == 200)
        #expect(info.json?["application"]?.string == EngineFixture.app)
        #expect(info.json?["platform"]?.string == "ANDROID")
        #expect(info.json?["rel"]?["topics"]?["news"] != nil)
        #expect(fixture.google("GET", "/iid/info/\(EngineFixture.fcmToken)", Self.iid).status == 404)
        // An access token needs a field beside it.
        #expect(fixture.google("GET", "/iid/info/\(fixture.fcmToken("b"))").status == 401)
    }

    @Test func `an import names the registrations of APNs tokens, and makes no device`() {
        let fixture = Self.fixture()
        fixture.make("i")
        let tokens = [fixture.apnsToken("i"), EngineFixture.token].map { "\"\($0)\"" }.joined(separator: ",")
        let body = #"{"application":"com.example.app","sandbox":false,"apns_tokens":[\#(tokens)]}"#
        let results = fixture.google("POST", "/iid/v1:batchImport", Self.iid, body: body).json?["results"]
        #expect(results?[0]?["registration_token"]?.string == fixture.fcmToken("i"))
        #expect(results?[1]?["registration_token"] == nil)
        #expect(fixture.engine.devices.count == 3)
    }

    @Test func `the API of 2026 makes, shows, lists and deletes a subscription`() {
        let fixture = Self.fixture()
        let path = Self.path(fixture, "a")
        let made = fixture.google("POST", path + "?topicName=news")
        #expect(made.status == 200)
        #expect(made.json?["topicName"]?.string == "news")
        #expect(fixture.google("POST", path + "?topicName=news").description == "409 ALREADY_EXISTS")
        #expect(fixture.google("GET", path + "/news").status == 200)
        #expect(fixture.google("GET", path + "/sport").description == "404 NOT_FOUND")
        fixture.google("PATCH", path + "/sport?allowMissing=true")
        let page = fixture.google("GET", path + "?pageSize=1")
        #expect(page.json?["topicSubscriptions"]?.elements.map { $0["topicName"]?.string } == ["news"])
        let next = fixture.google("GET", path + "?pageSize=1&pageToken=\(page.json?["nextPageToken"]?.string ?? "")")
        #expect(next.json?["topicSubscriptions"]?.elements.map { $0["topicName"]?.string } == ["sport"])
        #expect(next.json?["nextPageToken"] == nil)
        #expect(fixture.google("DELETE", path + "/news").status == 200)
        #expect(fixture.google("DELETE", path + "/news").description == "404 NOT_FOUND")
        #expect(fixture.google("DELETE", path + "/news?allowMissing=true").status == 200)
        #expect(fixture.take() == ["subscribed a news", "subscribed a sport", "unsubscribed a news"])
    }

    /// The device, the project and the token; then the answer.
    @Test func `a registration that is not the project's is refused`() {
        let fixture = Self.fixture()
        #expect(
            fixture.google("POST", Self.path(fixture, "a", project: "other") + "?topicName=news").description
                == "403 SENDER_ID_MISMATCH")
        #expect(fixture.google("POST", Self.path(fixture, "b", project: "other") + "?topicName=news").status == 200)
        let token = fixture.fcmToken("b")
        fixture.uninstall("b")
        let path = "/v1/projects/demo/registrations/\(token)/topicSubscriptions?topicName=news"
        #expect(fixture.google("POST", path).description == "404 UNREGISTERED")
        let unknown = "/v1/projects/demo/registrations/abc/topicSubscriptions?topicName=news"
        #expect(fixture.google("POST", unknown).description == "400 INVALID_ARGUMENT")
    }

    @Test func `a device has at most two thousand topics`() {
        let fixture = Self.fixture()
        for number in 0..<DeviceRegistry.topicLimit { fixture.subscribe("a", to: "t\(number)") }
        #expect(fixture.perform(.setTopic("more", isSubscribed: true), on: "a")?.message.contains("2000") == true)
        #expect(
            fixture.google("POST", Self.path(fixture, "a") + "?topicName=more").description == "429 RESOURCE_EXHAUSTED")
        #expect(fixture.perform(.setTopic("t0", isSubscribed: false), on: "a") == nil)
        #expect(fixture.perform(.setTopic("more", isSubscribed: true), on: "a") == nil)
    }

    @Test func `a token that is rotated keeps its topics`() {
        let fixture = Self.fixture()
        fixture.subscribe("a", to: "news")
        fixture.perform(.rotateToken(.fcm), on: "a")
        _ = fixture.take()
        fixture.message(#""topic":"news""#)
        fixture.finish()
        #expect(fixture.take().last == "delivered p1 a fcm.delivered")
    }

    @Test func `topics are listed with their projects and the number of devices`() {
        let fixture = Self.fixture()
        fixture.subscribe("a", to: "news", "sport")
        fixture.subscribe("b", to: "news")
        let topics = fixture.engine.devices.topics
        let list = topics.keys.all.map { "\($0.topic) \($0.project ?? "-") \(topics.count(of: $0))" }
        #expect(list == ["news - 1", "news demo 1", "sport demo 1"])
    }
}
