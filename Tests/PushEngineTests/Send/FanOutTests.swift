import Devices
import PushCore
import Testing

@testable import PushEngine

/// Messages to many devices: who gets them is fixed when they are accepted, and they are worked off in slices.
@Suite struct FanOutTests {
    /// Android devices, all subscribed to `news`.
    private static func fixture(_ count: Int) -> EngineFixture {
        let fixture = EngineFixture()
        fixture.silently {
            for number in 1...count {
                fixture.make("d\(number)", .android)
                fixture.subscribe("d\(number)", to: "news")
            }
        }
        return fixture
    }

    private static let topic = #""topic":"news","data":{"a":"b"}"#

    @Test func `a topic message is delivered to a limited number of devices at a time`() {
        let fixture = Self.fixture(5)
        fixture.message(Self.topic)
        #expect(fixture.take() == ["accepted p1 200"])
        #expect(fixture.hasWork)
        fixture.engine.continueFanOuts(2, at: fixture.now)
        #expect(fixture.take() == ["delivered p1 d1 fcm.delivered", "delivered p1 d2 fcm.delivered"])
        fixture.engine.continueFanOuts(0, at: fixture.now)
        #expect(fixture.take() == [])
        fixture.engine.continueFanOuts(2, at: fixture.now)
        #expect(fixture.take() == ["delivered p1 d3 fcm.delivered", "delivered p1 d4 fcm.delivered"])
        fixture.engine.continueFanOuts(2, at: fixture.now)
        #expect(fixture.take() == ["delivered p1 d5 fcm.delivered"])
        fixture.engine.continueFanOuts(1, at: fixture.now)
        #expect(!fixture.hasWork)
    }

    @Test func `two topic messages are delivered in their order, even within one slice`() {
        let fixture = Self.fixture(2)
        fixture.message(Self.topic)
        fixture.message(Self.topic)
        _ = fixture.take()
        fixture.engine.continueFanOuts(3, at: fixture.now)
        #expect(
            fixture.take() == [
                "delivered p1 d1 fcm.delivered", "delivered p1 d2 fcm.delivered", "delivered p2 d1 fcm.delivered",
            ])
        fixture.finish()
        #expect(fixture.take() == ["delivered p2 d2 fcm.delivered"])
    }

    static let membership: [Steps] = [
        Steps("a device that subscribes later gets nothing", ["d1", "d2", "d3"]) { fixture in
            fixture.make("late", .android)
            fixture.subscribe("late", to: "news")
        },
        Steps("a device that unsubscribes later still gets it", ["d1", "d2", "d3"]) { fixture in
            fixture.perform(.setTopic("news", isSubscribed: false), on: "d2")
        },
        Steps("a device that was deleted gets nothing", ["d1", "d3"]) { $0.delete("d2") },
        Steps("neither does the device that takes its slot", ["d1", "d3"]) { fixture in
            let slot = fixture.slot("d2")
            fixture.delete("d2")
            fixture.make("new", .android)
            fixture.subscribe("new", to: "news")
            precondition(fixture.slot("new") == slot, "the test is about a slot that is used again")
        },
        Steps("a device that goes offline meanwhile gets it later", ["d1", "d3"]) {
            $0.set("d2", #"{"online":false}"#)
        },
    ]

    @Test(arguments: membership) func `the devices of a topic message are fixed when it is accepted`(steps: Steps) {
        let fixture = Self.fixture(3)
        fixture.message(Self.topic)
        steps.run(fixture)
        _ = fixture.take()
        fixture.finish()
        let all = fixture.engine.events.events(after: 0).filter { $0.kind == .delivered }
        #expect(all.map { $0.device?.description ?? "" } == steps.events)
    }

    /// A condition over three topics, and the devices that it is for. Device `ab` has the topics a and b, and so on.
    @Test(
        arguments: [
            ("'a' in topics", ["a", "ab", "abc", "ac"]),
            ("!('a' in topics)", ["b", "bc", "c", "none"]),
            ("'a' in topics && 'b' in topics", ["ab", "abc"]),
            ("'a' in topics || 'b' in topics", ["a", "ab", "abc", "ac", "b", "bc"]),
            ("'a' in topics && !('b' in topics)", ["a", "ac"]),
            ("'a' in topics || 'b' in topics && 'c' in topics", ["abc", "ac", "bc"]),
            ("'a' in topics || ('b' in topics && 'c' in topics)", ["a", "ab", "abc", "ac", "bc"]),
            ("!('a' in topics) && !('b' in topics) && !('c' in topics)", ["none"]),
        ])
    func `a condition is for the devices for which it holds`(condition: String, devices: [String]) {
        let fixture = EngineFixture()
        for id in ["none", "a", "b", "c", "ab", "ac", "bc", "abc"] {
            fixture.make(id, .android)
            if id != "none" { for topic in id { fixture.subscribe(id, to: String(topic)) } }
        }
        // Outside: a device of another project, one without a token, and one without the app.
        fixture.make("foreign", .android, #""project":"other""#)
        fixture.make("tokenless", .android)
        fixture.perform(.deleteToken(.fcm), on: "tokenless")
        fixture.make("gone", .android)
        fixture.uninstall("gone")
        _ = fixture.take()
        #expect(fixture.message(#""condition":"\#(condition)","data":{"a":"b"}"#).status == 200)
        fixture.finish()
        let reached = fixture.takeEvents().filter { $0.kind == .delivered }.compactMap { $0.device?.description }
        #expect(reached.sorted() == devices)
    }

    @Test func `a topic belongs to a project, and devices without a project get the messages of all`() {
        let fixture = EngineFixture()
        fixture.make("own", .android, #""project":"demo""#)
        fixture.make("other", .android, #""project":"other""#)
        fixture.make("any", .android)
        for id in ["own", "other", "any"] { fixture.subscribe(id, to: "news") }
        _ = fixture.take()
        for project in ["demo", "other", "third"] { fixture.message(Self.topic, project: project) }
        fixture.finish()
        #expect(
            fixture.take().filter { $0.hasPrefix("delivered") } == [
                "delivered p1 own fcm.delivered", "delivered p1 any fcm.delivered", "delivered p2 other fcm.delivered",
                "delivered p2 any fcm.delivered", "delivered p3 any fcm.delivered",
            ])
    }

    @Test func `an empty message to a topic replaces the one before on each device`() {
        let fixture = Self.fixture(1)
        fixture.set("d1", #"{"online":false}"#)
        for _ in 0..<2 { fixture.message(#""topic":"news""#) }
        fixture.finish()
        #expect(fixture.take().last == "collapsed p1 d1 fcm.collapsed by p2")
        // To a single device it does not.
        for _ in 0..<2 { fixture.message(to: "d1", "") }
        #expect(!fixture.take().contains { $0.hasPrefix("collapsed") })
    }

    @Test func `if no more pushes can wait for a device, a topic message is dropped for that device only`() {
        let fixture = EngineFixture { $0.waitingByteCapacity = 1 }
        for id in ["a", "b", "c"] {
            fixture.make(id, .android)
            fixture.subscribe(id, to: "news")
        }
        fixture.set("a", #"{"online":false}"#)
        fixture.set("b", #"{"online":false}"#)
        fixture.message(Self.topic)
        _ = fixture.take()
        fixture.finish()
        #expect(
            fixture.take() == [
                "stored p1 a fcm.pending", "dropped p1 b devices.storage-full", "delivered p1 c fcm.delivered",
            ])
    }
}
