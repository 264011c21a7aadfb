import Devices
import HTTPCore
import PushCore
import Testing

@testable import PushEngine

/// Reports of apps to Adobe Campaign, joined to the pushes that they are about.
@Suite struct TrackingTests {
    private static let body = #"{"aps":{"alert":"a"},"_mId":"h1a2b","_dId":"3c4d"}"#

    private static func fixture() -> EngineFixture {
        let fixture = EngineFixture()
        fixture.make("d", .ios, #""tracking":{"profile":"adobe","ecid":"123"}"#)
        fixture.push(to: "d", body: body)
        return fixture
    }

    private static func hit(_ fixture: EngineFixture, _ target: String, method: String = "GET") -> Int? {
        let request = fixture.request(method: method, path: target)
        return fixture.engine.collect(request, at: fixture.now)?.status
    }

    @Test(
        arguments: [
            ("/r/?id=h1a2b,3c4d,1&mcId=123", "GET", 200), ("/r?id=h1a2b,3c4d,2", "POST", 200),
            ("/r/?id=h1a2b,3c4d", "GET", 400), ("/r/", "HEAD", 400), ("/r/?id=a,b,c,d", "GET", 400),
            ("/r/?id=h1a2b,3c4d,1", "DELETE", 405), ("/rest/head/mobileAppV5/x/subscriptions/1", "POST", 200),
            ("/rest/head/mobileAppV5/x/locations/1", "POST", 200), ("/rest/head/mobileAppV5/x/other", "POST", nil),
            ("/other", "GET", nil),
        ] as [(String, String, Int?)])
    func `the collector answers its calls`(target: String, method: String, status: Int?) {
        let fixture = EngineFixture()
        #expect(Self.hit(fixture, target, method: method) == status)
        #expect(
            fixture.engine.tracking.hits.count
                == (status == 200 && target.hasPrefix("/r/?") || target.hasPrefix("/r?") ? 1 : 0))
    }

    /// Hits in their order, and the flags of the last one.
    @Test(
        arguments: [
            (["h1a2b,3c4d,2"], []), (["h1a2b,3c4d,2", "h1a2b,3c4d,1"], []), (["h1a2b,3c4d,1"], [.openWithoutClick]),
            (["h1a2b,3c4d,2", "h1a2b,3c4d,2"], [.duplicate]), (["x,y,2"], [.unknownId]), ([",3c4d,2"], [.noId]),
            (["h1a2b,,2"], [.noId]), (["h1a2b,3c4d,link7"], [.link]), (["x,y,1"], [.unknownId, .openWithoutClick]),
        ] as [([String], [TrackingBook.Flag])])
    func `unexpected properties of a hit are flagged`(ids: [String], flags: [TrackingBook.Flag]) throws {
        let fixture = Self.fixture()
        for id in ids { #expect(Self.hit(fixture, "/r/?id=\(id)&mcId=999") == 200) }
        let last = try #require(fixture.engine.tracking.hits.last)
        #expect(last.flags == flags)
        #expect(last.push == (flags.contains(.unknownId) || flags.contains(.noId) ? nil : PushID(1)))
        #expect(last.ecid == "999")
        let line = fixture.takeShown().last ?? ""
        #expect(line.hasPrefix("tracking"))
        for flag in flags { #expect(line.contains("\(flag.rawValue)=true")) }
    }

    @Test func `the app's own reports are expected, and those over HTTP are only reported`() throws {
        let fixture = Self.fixture()
        let key = try #require(fixture.device("d").phone.shade.entries.first?.key)
        fixture.perform(.act(.open(key)), on: "d")
        let own = try #require(fixture.engine.tracking.pushes.first)
        #expect(own.push == PushID(1))
        #expect(own.why == nil)
        #expect(!own.simulatedActions.isEmpty)
        #expect(own.simulatedActions == own.reported)
        _ = Self.hit(fixture, "/r/?id=h1a2b,3c4d,5&mcId=123")
        let after = try #require(fixture.engine.tracking.pushes.first)
        #expect(after.simulatedActions == own.simulatedActions)
        #expect(after.reported == own.reported + ["5"])
    }

    @Test(
        arguments: [
            #"{"aps":{"alert":"a"}}"#, #"{"aps":{"alert":"a"},"_mId":"h1","_dId":"3","_acsDeliveryTracking":"off"}"#,
        ])
    func `a push without ids, or with tracking off, says why nothing is reported`(body: String) throws {
        let fixture = EngineFixture()
        fixture.make("d", .ios, #""tracking":{"profile":"adobe","ecid":"123"}"#)
        fixture.push(to: "d", body: body)
        #expect(try #require(fixture.engine.tracking.pushes.first).why != nil)
        let key = try #require(fixture.device("d").phone.shade.entries.first?.key)
        fixture.perform(.act(.open(key)), on: "d")
        #expect(fixture.engine.tracking.hits.isEmpty)
    }

    @Test func `why nothing was reported is known until something is`() throws {
        let fixture = Self.fixture()
        #expect(fixture.engine.tracking.pushes.first?.why?.hasPrefix("the app was not in the foreground") == true)
        _ = Self.hit(fixture, "/r/?id=h1a2b,3c4d,2&mcId=123")
        #expect(try #require(fixture.engine.tracking.pushes.first).why == nil)
        // What a push itself says stays until a person acts, and a report ends all reasons.
        fixture.push(to: "d", body: #"{"aps":{"alert":"a"},"_mId":"h1","_dId":"3","_acsDeliveryTracking":"off"}"#)
        #expect(fixture.engine.tracking.pushes.last?.why == "_acsDeliveryTracking is not on")
        fixture.engine.simulate(.clearAll, fixture.slot("d"), at: fixture.now)
        #expect(fixture.engine.tracking.pushes.first?.why == nil)
        #expect(fixture.engine.tracking.pushes.last?.why?.hasPrefix("the category of the push") == true)
    }

    /// What is done to a phone with tracking before and after a push, and the reason that is listed.
    @Test(
        arguments: [
            (#"{"online":false}"#, nil, "apns.stored-offline"),
            (#"{"online":false}"#, #"{"permission":"denied","online":true}"#, "apns.discarded-disabled-from-storage"),
            (#"{"permission":"denied"}"#, nil, "apns.discarded-disabled"),
        ] as [(String, String?, String)])
    func `a push that has not reached the app says so`(before: String, after: String?, why: String) {
        let fixture = EngineFixture()
        fixture.make("d", .ios, #""tracking":{"profile":"adobe","ecid":"123"}"#)
        fixture.set("d", before)
        fixture.push(to: "d", body: Self.body)
        if let after { fixture.set("d", after) }
        #expect(fixture.engine.tracking.pushes.map(\.why) == ["the push has not reached the app (\(why))"])
    }

    @Test func `a push that arrives later has the reason of its arrival`() {
        let fixture = EngineFixture()
        fixture.make("d", .ios, #""tracking":{"profile":"adobe","ecid":"123"}"#)
        fixture.set("d", #"{"online":false}"#)
        fixture.push(to: "d", ["apns-expiration": String(fixture.now.seconds + 60)], body: Self.body)
        fixture.advance(61_000)
        fixture.push(to: "d", body: Self.body)
        fixture.set("d", #"{"online":true}"#)
        let reasons = fixture.engine.tracking.pushes.map { $0.why ?? "" }
        #expect(reasons.first == "the push has not reached the app (apns.discarded-expired)")
        #expect(reasons.last?.hasPrefix("the app was not in the foreground") == true)
        // A push of another kind has no report to explain.
        fixture.set("d", #"{"online":false}"#)
        let token = fixture.device("d").otherTokens[.voip]?.hex ?? ""
        #expect(fixture.push(token, topic: "com.example.app.voip", body: "{}").status == 200)
        #expect(fixture.engine.tracking.pushes.count == 2)
    }

    @Test func `a message that one device has and another misses keeps the reason of the first`() {
        let fixture = EngineFixture()
        for id in ["a", "b"] {
            fixture.make(id, .ios, #""tracking":{"profile":"adobe","ecid":"123"}"#)
            fixture.subscribe(id, to: "news")
        }
        fixture.set("b", #"{"online":false}"#)
        fixture.message(#""topic":"news","notification":{"title":"t"},"data":{"_mId":"h1","_dId":"2"}"#)
        fixture.finish()
        #expect(fixture.engine.tracking.pushes.count == 1)
        #expect(fixture.engine.tracking.pushes.first?.why?.hasPrefix("the app was not in the foreground") == true)
    }

    @Test func `devices whose app does not track are not listed`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.push(to: "d", body: Self.body)
        #expect(fixture.engine.tracking.pushes.isEmpty)
    }

    @Test func `the ids name the newest push that had them`() throws {
        let fixture = Self.fixture()
        fixture.push(to: "d", body: Self.body)
        _ = Self.hit(fixture, "/r/?id=h1a2b,3c4d,2&mcId=1")
        #expect(fixture.engine.tracking.hits.last?.push == PushID(2))
    }

    @Test func `deleting a push deletes its hits`() throws {
        let fixture = Self.fixture()
        _ = Self.hit(fixture, "/r/?id=h1a2b,3c4d,2&mcId=1")
        _ = Self.hit(fixture, "/r/?id=x,y,2&mcId=1")
        let total = fixture.engine.trackingTotal
        _ = fixture.delete(MessageFilter())
        fixture.engine.forgetTrackingOfDeletedPushes(everything: false)
        #expect(fixture.engine.tracking.hits.map(\.broadlog) == ["x"])
        #expect(fixture.engine.tracking.pushes.isEmpty)
        _ = Self.hit(fixture, "/r/?id=h1a2b,3c4d,2&mcId=1")
        #expect(fixture.engine.tracking.hits.last?.flags == [.unknownId])
        fixture.engine.forgetTrackingOfDeletedPushes(everything: true)
        #expect(fixture.engine.tracking.hits.isEmpty)
        // The numbers of hits go on: they name what is saved of them.
        #expect(fixture.engine.trackingTotal == total + 1)
    }

    @Test func `unsaved hits are taken once, and again if the batch was not written`() {
        let fixture = Self.fixture()
        _ = Self.hit(fixture, "/r/?id=h1a2b,3c4d,2&mcId=1")
        #expect(fixture.engine.takeUnsavedTracking(since: 0).map(\.key) == ["h0", "p1"])
        #expect(fixture.engine.takeUnsavedTracking(since: 1).isEmpty)
        fixture.engine.markUnsaved(devices: ["d"], tracking: ["h0", "p1"])
        #expect(fixture.engine.takeUnsavedTracking(since: 0).map(\.key) == ["h0", "p1"])
        #expect(fixture.engine.takeUnsavedDevices().map(\.description) == ["d"])
    }

    @Test func `long fields are cut`() throws {
        let fixture = EngineFixture()
        let long = String(repeating: "x", count: 1000)
        _ = Self.hit(fixture, "/r/?id=\(long),\(long),\(long)&mcId=\(long)")
        let hit = try #require(fixture.engine.tracking.hits.first)
        #expect([hit.broadlog, hit.delivery, hit.action, hit.ecid].map(\.count) == [256, 256, 256, 256])
    }
}
