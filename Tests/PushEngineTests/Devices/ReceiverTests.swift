import Devices
import Faults
import HTTPCore
import JSON
import PushCore
import Testing

@testable import PushEngine
@testable import Receivers

/// Real browsers: devices whose pushes the engine only records.
@Suite struct ReceiverTests {
    private let fixture = EngineFixture()
    private static let page = Receiver(
        token: "t:1", app: "https://page.example", client: "Chromium",
        endpoint: "https://fcm.googleapis.com/fcm/send/t:1")

    private func apply(_ news: ReceiverNews...) {
        for one in news { fixture.engine.apply(one, at: fixture.now) }
    }

    private func send(_ refusal: WebPushRefusal? = nil) throws -> PushID {
        let id = fixture.engine.nextWebPush()
        var request = Request(
            version: .http2,
            headers: HeaderBlock([
                .method: "POST", .path: "/fcm/send/t:1", HeaderName("ttl"): "60", HeaderName("topic"): "news",
                HeaderName("urgency"): "high", HeaderName("content-encoding"): "aes128gcm",
            ]))
        request.body = [UInt8](repeating: 1, count: 16) + [0, 0, 16, 0, 2, 4, 5, 9]
        let push = try #require(WebPush(request, id, at: fixture.now))
        fixture.engine.record(push, PushEngine.WebPushRecord(refusal: refusal))
        return id
    }

    @Test func `a page that subscribes is a device, until it unsubscribes`() throws {
        apply(.subscribed(Self.page), .connected(true, tokens: ["t:1"]), .connected(false, tokens: ["t:1", "other"]))
        #expect(fixture.take() == ["registered d1", "state d1", "state d1"])
        let device = fixture.engine.devices[fixture.slot("d1")]
        #expect(
            device.platform == .web && device.app == "https://page.example" && device.receiver?.client == "Chromium")
        #expect(!device.state.online)
        apply(.unsubscribed(token: "t:1"), .unsubscribed(token: "t:1"))
        #expect(fixture.take() == ["unregistered d1 browser.unsubscribed"])
        #expect(fixture.engine.devices.slot(of: DeviceID("d1")) == nil)
    }

    @Test func `what becomes of a push is recorded`() throws {
        apply(.subscribed(Self.page))
        let push = try send()
        let newer = try send()
        apply(
            .push(push, token: "t:1", .stored), .push(push, token: "t:1", .replaced(by: newer)),
            .push(newer, token: "t:1", .delivered), .push(newer, token: "t:1", .acknowledged(code: 100)),
            .push(newer, token: "t:1", .dropped(.expired)), .push(newer, token: "gone", .delivered))
        let kinds = fixture.take().map { $0.split(separator: " ").first.map(String.init) ?? "" }
        #expect(
            kinds == [
                "registered", "accepted", "accepted", "stored", "collapsed", "delivered", "callback", "dropped",
            ])
    }

    @Test func `a fault on an FCM message cuts the connection of its web app`() throws {
        let session = ClientID(slot: 1, generation: 0)
        let connected = fixture.engine.realReceivers.mozilla.connect(nil, session)
        let agent = try #require(connected)
        let made = fixture.engine.realReceivers.mozilla.subscribe("c", of: agent, key: nil, base: "")
        let subscription = try #require(made?.split(separator: "/").last.map(String.init))
        fixture.engine.applyReceiverNews(at: fixture.now)
        apply(.registered(token: "fid:APA91b", subscription: subscription))
        let fault = try JSONDocument(parsing: Array(#"{"effect":{"disconnect":true},"times":1}"#.utf8)).root
        _ = try fixture.engine.faults.add(fault, at: fixture.now, seed: 7)
        for cut in [[session], []] {
            fixture.message(#""token":"fid:APA91b","data":{"a":"b"}"#)
            #expect(fixture.engine.realReceivers.takeConnectionsToClose() == cut)
        }
    }

    @Test func `what has waited too long is dropped when the clock says so, also after a restart`() throws {
        func waiting(_ fixture: EngineFixture) throws -> (token: String, due: Timestamp) {
            let session = ClientID(slot: 1, generation: 0)
            let connected = fixture.engine.realReceivers.mozilla.connect(nil, session)
            let agent = try #require(connected)
            let made = fixture.engine.realReceivers.mozilla.subscribe("c", of: agent, key: nil, base: "")
            let token = try #require(made?.split(separator: "/").last.map(String.init))
            fixture.engine.realReceivers.mozilla.disconnect(agent, session)
            fixture.engine.applyReceiverNews(at: fixture.now)
            var request = Request(
                version: .http2, headers: HeaderBlock([.method: "POST", .path: "/wpush/v1/\(token)"]))
            request.headers.append(HeaderName("ttl"), "5")
            let id = fixture.engine.nextWebPush()
            let push = try #require(WebPush(request, id, at: fixture.now))
            var memory = FaultMemory()
            _ = fixture.engine.send(push, base: "", &memory)
            fixture.engine.applyReceiverNews(at: fixture.now)
            let wake = try #require(fixture.engine.pendingWork.wakes.last)
            #expect(fixture.take().last == "stored p1 d1 browser.away" && wake.due == fixture.now + 5001)
            return (token, wake.due)
        }
        let (token, due) = try waiting(fixture)
        let wake = try #require(fixture.engine.pendingWork.wakes.last)
        fixture.engine.wake(wake.device, at: due)
        #expect(fixture.take() == ["dropped p1 d1 browser.expired"])
        #expect(fixture.engine.realReceivers.nextExpiry(token) == nil)
    }

    @Test func `a message shows what can be seen of an encrypted push`() throws {
        apply(.subscribed(Self.page))
        let push = try send()
        fixture.engine.updateJournal()
        let found = fixture.engine.message(of: push)
        let message = try #require(found)
        var json = JSONWriter()
        message.write(to: &json)
        let shown = try JSONDocument(parsing: json.finish()).root
        #expect(shown["provider"]?.string == "webpush" && shown["app"]?.string == "https://page.example")
        #expect(shown["target"]?["token"]?.string == "t:1" && shown["collapseId"]?.string == "news")
        #expect(shown["priority"]?.string == "high" && shown["expiration"]?.string == "60")
        let body = shown["request"]?["body"]
        #expect(body?["encoding"]?.string == "aes128gcm" && body?["bytes"]?.int == 24)
        #expect(body?["recordSize"]?.int == 4096 && body?["key"]?.string == "BAU")
    }

    @Test func `a refused push has its rule and the service's sentence`() throws {
        apply(.subscribed(Self.page))
        let rule = WebPushRule.expired
        _ = try send(WebPushRefusal(rule: rule.rule, reason: rule.text, response: rule.response))
        #expect(fixture.take().last == "refused p1 d1 webpush.expired 403 token has expired")
    }

    @Test func `a person can't use a real browser through the gateway`() {
        apply(.subscribed(Self.page))
        let problem = fixture.perform(.forceQuit, on: "d1")
        #expect(
            problem?.message
                == "d1 is a real Chromium, not a simulation: do this in the browser or app itself.")
    }

    @Test func `a deleted browser is reported, and a reset leaves it`() {
        apply(.subscribed(Self.page))
        let isGone = fixture.engine.resetDevice(fixture.slot("d1"), at: fixture.now)
        #expect(!isGone)
        fixture.engine.deleteDevice(fixture.slot("d1"), at: fixture.now)
        #expect(fixture.engine.devices.slot(of: DeviceID("d1")) == nil)
    }

    @Test func `an id that the log still tells of is not given again after a restart`() throws {
        apply(.subscribed(Self.page), .unsubscribed(token: "t:1"))
        var saved = SavedRecords()
        saved.save(fixture)
        let other = try saved.restored(fixture)
        other.engine.apply(.subscribed(Self.page), at: other.now)
        #expect(other.engine.subscribers["t:1"] == DeviceID("d2"))
    }

    @Test func `a real browser is saved, and is not connected after a restart`() throws {
        apply(.subscribed(Self.page), .connected(true, tokens: ["t:1"]))
        let bytes = try #require(fixture.engine.encodedDevices([DeviceID("d1")]).first?.bytes)
        var snapshot = EngineSnapshot()
        snapshot.devices = [bytes]
        let other = EngineFixture()
        try other.engine.restore(snapshot)
        let device = other.engine.devices[other.slot("d1")]
        #expect(device.receiver?.endpoint == Self.page.endpoint && !device.state.online)
        #expect(other.engine.subscribers["t:1"] == DeviceID("d1"))
        other.engine.apply(.subscribed(Receiver(token: "t:2", app: "a", client: "c", endpoint: "e")), at: other.now)
        #expect(other.engine.subscribers["t:2"] == DeviceID("d2"))
    }

    @Test func `a message to a registration is left to the gateway, with the JSON for the page`() throws {
        apply(.subscribed(Self.page))
        fixture.engine.apply(.registered(token: "fid:APA91b", subscription: "t:1"), at: fixture.now)
        apply(.topic("news", isWanted: true, fcmToken: "fid:APA91b"))
        for target in [#""token":"fid:APA91b""#, #""topic":"news""#] {
            fixture.message(
                #"\#(target),"notification":{"title":"T"},"webpush":{"headers":{"TTL":"9","Topic":"a"}}"#)
        }
        fixture.engine.continueFanOuts(10, at: fixture.now)
        for sender in ["900000000000", "/topics/news"] {
            let push = fixture.engine.pendingWork.receiverPushes.popFirst()
            let found = try #require(push)
            let text = try JSONDocument(parsing: found.text).root
            #expect(text["from"]?.string == sender && text["notification"]?["title"]?.string == "T")
            #expect(found.token == "fid:APA91b" && found.lifetime == 9 && found.topic == "a")
        }
        apply(.unsubscribed(token: "t:1"))
        fixture.engine.apply(.unregistered(token: "fid:APA91b"), at: fixture.now)
        let answer = fixture.message(#""token":"fid:APA91b","data":{"a":"b"}"#)
        #expect(answer.status == 404)
    }
}
