import Devices
import PushCore
import Testing

@testable import PushEngine

/// What becomes of messages that wait: they are delivered late, replaced or dropped.
@Suite struct StoredMessageTests {
    static let stored: [Steps] = [
        Steps("a message waits until the device is back", ["delivered p1 d fcm.delivered-late after 5000"]) {
            $0.message(to: "d")
            $0.advance(5000)
            $0.set("d", #"{"online":true}"#)
        },
        Steps("it expires meanwhile", ["dropped p1 d fcm.ttl-expired after 10000"]) {
            $0.message(to: "d", #""android":{"ttl":"10s"}"#)
            $0.advance(10_000)
            $0.set("d", #"{"online":true}"#)
        },
        Steps(
            "messages without a key wait all",
            ["delivered p1 d fcm.delivered-late after 0", "delivered p2 d fcm.delivered-late after 0"]
        ) {
            $0.message(to: "d")
            $0.message(to: "d")
            $0.set("d", #"{"online":true}"#)
        },
        Steps(
            "the same collapse key replaces",
            ["collapsed p1 d fcm.collapsed by p2", "delivered p2 d fcm.delivered-late after 0"]
        ) {
            for _ in 0..<2 { $0.message(to: "d", #""android":{"collapseKey":"a"}"#) }
            $0.set("d", #"{"online":true}"#)
        },
        Steps("a fifth collapse key replaces the oldest", ["collapsed p1 d fcm.collapsed by p5"]) {
            for key in ["a", "b", "c", "d", "e"] { $0.message(to: "d", #""android":{"collapseKey":"\#(key)"}"#) }
        },
        Steps("notifications share one key", ["collapsed p1 d fcm.collapsed by p2"]) {
            for key in ["a", "b"] {
                $0.message(to: "d", #""notification":{"title":"\#(key)"},"android":{"collapseKey":"\#(key)"}"#)
            }
        },
        Steps("Doze ends", ["delivered p1 d fcm.delivered-after-doze after 0"]) {
            $0.set("d", #"{"online":true,"doze":true}"#)
            $0.message(to: "d")
            $0.set("d", #"{"doze":false}"#)
        },
        Steps("the person opens the app again", ["delivered p1 d fcm.delivered-after-stop after 0"]) {
            $0.set("d", #"{"online":true,"forceStopped":true}"#)
            $0.message(to: "d")
            $0.set("d", #"{"forceStopped":false}"#)
        },
        Steps("the app stays stopped for longer than the ttl", ["dropped p1 d fcm.force-stopped after 10000"]) {
            $0.set("d", #"{"online":true,"forceStopped":true}"#)
            $0.message(to: "d", #""android":{"ttl":"10s"}"#)
            $0.advance(10_000)
            $0.set("d", #"{"forceStopped":false}"#)
        },
        Steps("the phone is unlocked for the first time", ["delivered p1 d fcm.delivered-late after 0"]) {
            $0.set("d", #"{"online":true,"directBoot":true}"#)
            $0.message(to: "d")
            $0.set("d", #"{"directBoot":false}"#)
        },
        Steps(
            "a device that was offline for more than 30 days is inactive",
            ["dropped p1 d fcm.device-inactive", "callback d 1"]
        ) {
            $0.advance(30 * 86_400_000 + 1)
            $0.message(to: "d")
            $0.set("d", #"{"online":true}"#)
        },
        Steps("at exactly 30 days it is not", ["stored p1 d fcm.pending"]) {
            $0.advance(30 * 86_400_000)
            $0.message(to: "d")
        },
    ]

    @Test(arguments: stored) func `a stored message has these later events`(steps: Steps) {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        fixture.set("d", #"{"online":false}"#)
        _ = fixture.take()
        steps.run(fixture)
        var events = fixture.take().filter { !$0.hasPrefix("accepted") && !$0.hasPrefix("state") }
        if steps.events.first?.hasPrefix("stored") == false { events.removeAll { $0.hasPrefix("stored") } }
        #expect(events == steps.events)
    }

    @Test func `the hundred and first message drops all, and the app learns how many`() {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        fixture.set("d", #"{"online":false}"#)
        for _ in 0..<100 { fixture.message(to: "d") }
        fixture.message(to: "d", #""android":{"collapseKey":"a"}"#)
        _ = fixture.take()
        fixture.message(to: "d")
        let events = fixture.take()
        #expect(events.prefix(2) == ["accepted p102 d 200", "stored p102 d fcm.pending"])
        #expect(events.count(where: { $0.hasPrefix("dropped") }) == 101)
        #expect(events[2] == "dropped p1 d fcm.too-many-pending by p102")
        #expect(events.last == "dropped p102 d fcm.too-many-pending by p102")
        fixture.set("d", #"{"online":true}"#)
        #expect(fixture.take() == ["state d", "callback d 101", "delivered p101 d fcm.delivered-late after 0"])
        // The app gets the count only once.
        fixture.set("d", #"{"online":false}"#)
        fixture.set("d", #"{"online":true}"#)
        #expect(fixture.take() == ["state d", "state d"])
    }

    @Test(arguments: [(270, 0, 200), (270, 1, 404)] as [(Int64, Int64, Int)])
    func `a token that was not seen for 270 days is unregistered`(days: Int64, extra: Int64, status: Int) {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        fixture.set("d", #"{"online":false}"#)
        fixture.advance(days * 86_400_000 + extra)
        #expect(fixture.message(to: "d").status == status)
    }

    @Test func `a device that was made offline is counted as offline from then on`() {
        let fixture = EngineFixture()
        fixture.silently { fixture.make("d", .android, #""state":{"online":false}"#) }
        fixture.advance(30 * 86_400_000 + 1)
        #expect(fixture.message(to: "d").status == 200)
        #expect(fixture.take() == ["accepted p1 d 200", "dropped p1 d fcm.device-inactive"])
        fixture.advance(240 * 86_400_000)
        #expect(fixture.message(to: "d").status == 404)
    }

    @Test func `a browser's topic replaces what waits, and others do not`() {
        let fixture = EngineFixture()
        fixture.make("d", .web)
        fixture.set("d", #"{"online":false}"#)
        _ = fixture.take()
        for topic in ["a", "a", "b"] { fixture.message(to: "d", #""webpush":{"headers":{"Topic":"\#(topic)"}}"#) }
        fixture.message(to: "d")
        fixture.set("d", #"{"online":true}"#)
        let events = fixture.take().filter { !$0.hasPrefix("accepted") && !$0.hasPrefix("stored") && $0 != "state d" }
        #expect(
            events == [
                "collapsed p1 d fcm.collapsed by p2", "delivered p2 d fcm.delivered-late after 0",
                "delivered p3 d fcm.delivered-late after 0", "delivered p4 d fcm.delivered-late after 0",
            ])
    }
}
