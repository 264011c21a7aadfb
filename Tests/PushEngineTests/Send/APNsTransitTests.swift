import APNs
import Devices
import JSON
import PushCore
import Testing

@testable import PushEngine

/// What becomes of an accepted push on its way to a device.
@Suite struct APNsTransitTests {
    /// The state of the device, the push's fields, and the event that follows the acceptance.
    static let outcomes: [(state: String, fields: [String: String], body: String, event: String)] = [
        (#"{}"#, [:], alert, "delivered p1 d apns.delivered"),
        (#"{}"#, ["apns-expiration": "0"], alert, "delivered p1 d apns.delivered"),
        (#"{}"#, ["apns-expiration": "1"], alert, "delivered p1 d apns.delivered"),
        (#"{"focus":true}"#, ["apns-expiration": "1799999999"], alert, "delivered p1 d apns.delivered"),
        (
            #"{"lowPower":true}"#, ["apns-priority": "5", "apns-expiration": "1"], alert,
            "dropped p1 d apns.discarded-expired"
        ),
        (#"{"online":false}"#, [:], alert, "stored p1 d apns.stored-offline"),
        (#"{"online":false}"#, ["apns-expiration": "1900000000"], alert, "stored p1 d apns.stored-offline"),
        (#"{"online":false}"#, ["apns-expiration": "0"], alert, "dropped p1 d apns.discarded-expired"),
        (#"{"online":false}"#, ["apns-expiration": "1"], alert, "dropped p1 d apns.discarded-expired"),
        (#"{"lowPower":true}"#, ["apns-priority": "10"], alert, "delivered p1 d apns.delivered"),
        (#"{"lowPower":true}"#, ["apns-priority": "5"], alert, "stored p1 d apns.stored-power"),
        (#"{"locked":true}"#, ["apns-priority": "5"], alert, "delivered p1 d apns.delivered"),
        (#"{"locked":true}"#, ["apns-priority": "1"], alert, "stored p1 d apns.stored-power"),
        (
            #"{"lowPower":true}"#, ["apns-priority": "5", "apns-expiration": "0"], alert,
            "dropped p1 d apns.discarded-expired"
        ),
        (#"{"permission":"denied"}"#, [:], alert, "dropped p1 d apns.discarded-disabled"),
        (
            #"{"permission":"denied"}"#, ["apns-push-type": "background", "apns-priority": "5"],
            #"{"aps":{"content-available":1}}"#, "delivered p1 d apns.delivered"
        ),
        (#"{"permission":"denied","online":false}"#, [:], alert, "dropped p1 d apns.discarded-disabled"),
    ]
    static let alert = #"{"aps":{"alert":"Hello"}}"#

    @Test(arguments: outcomes.indices) func `the state and the fields decide about delivery`(index: Int) {
        let row = Self.outcomes[index]
        let fixture = EngineFixture()
        fixture.silently {
            fixture.make("d")
            fixture.set("d", row.state)
        }
        #expect(fixture.push(to: "d", row.fields, body: row.body).status == 200)
        #expect(fixture.take() == ["accepted p1 d apns.received 200", row.event], "\(row.state) \(row.fields)")
    }

    @Test func `a choice discards expired pushes for reachable devices too`() {
        let fixture = EngineFixture { $0.apns.choices = [.expiredPush] }
        fixture.silently { fixture.make("d") }
        #expect(fixture.push(to: "d", ["apns-expiration": "1"]).status == 200)
        #expect(fixture.take() == ["accepted p1 d apns.received 200", "dropped p1 d apns.discarded-expired"])
        fixture.push(to: "d", ["apns-expiration": "0"])
        fixture.push(to: "d", ["apns-expiration": "1800000001"])
        fixture.push(to: "d")
        #expect(fixture.take().filter { $0.contains("apns.delivered") }.count == 3)
    }

    static let stored: [Steps] = [
        Steps(
            "a push waits until the device is back",
            ["state d", "delivered p1 d apns.delivered-from-storage after 5000"]
        ) {
            $0.push(to: "d")
            _ = $0.take()
            $0.advance(5000)
            $0.set("d", #"{"online":true}"#)
        },
        Steps(
            "it goes once only",
            ["state d", "delivered p1 d apns.delivered-from-storage after 0", "state d", "state d"]
        ) {
            $0.push(to: "d")
            _ = $0.take()
            for isOnline in [true, false, true] { $0.set("d", #"{"online":\#(isOnline)}"#) }
        },
        Steps("another push takes its slot", ["dropped p1 d apns.overwritten by p2"]) {
            $0.push(to: "d")
            $0.push(to: "d")
        },
        Steps("a push with the same collapse id replaces it", ["collapsed p1 d apns.collapsed by p2"]) {
            $0.push(to: "d", ["apns-collapse-id": "a"])
            $0.push(to: "d", ["apns-collapse-id": "a"])
        },
        Steps("a push with another collapse id overwrites it", ["dropped p1 d apns.overwritten by p2"]) {
            $0.push(to: "d", ["apns-collapse-id": "a"])
            $0.push(to: "d", ["apns-collapse-id": "b"])
        },
        Steps("it expires meanwhile", ["state d", "dropped p1 d apns.discarded-expired after 61000"]) {
            $0.push(to: "d", ["apns-expiration": "1800000060"])
            _ = $0.take()
            $0.advance(61_000)
            $0.set("d", #"{"online":true}"#)
        },
        Steps(
            "no push waits for more than 30 days", ["state d", "dropped p1 d apns.discarded-expired after 2592000000"]
        ) {
            $0.push(to: "d", ["apns-expiration": "1900000000"])
            _ = $0.take()
            $0.advance(30 * 86_400_000)
            $0.set("d", #"{"online":true}"#)
        },
        Steps(
            "the person disallows it meanwhile",
            ["state d", "dropped p1 d apns.discarded-disabled-from-storage after 0"]
        ) {
            $0.push(to: "d")
            _ = $0.take()
            $0.set("d", #"{"online":true,"permission":"denied"}"#)
        },
        Steps(
            "the device is back, but saves power",
            ["state d", "state d", "delivered p1 d apns.delivered-from-storage after 0"]
        ) {
            $0.push(to: "d", ["apns-priority": "5"])
            _ = $0.take()
            $0.set("d", #"{"online":true,"lowPower":true}"#)
            $0.set("d", #"{"lowPower":false}"#)
        },
    ]

    @Test(arguments: stored) func `a stored push has these later events`(steps: Steps) {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        _ = fixture.take()
        steps.run(fixture)
        let events = fixture.take().filter { !$0.hasPrefix("accepted") && !$0.hasPrefix("stored") }
        #expect(events == steps.events)
    }

    /// How long after the removal, how many pushes later, and what the next push is answered.
    @Test(
        arguments: [
            (0, 0, 0, 0, 410), (1000, 0, 999, 5, 200), (1000, 0, 1000, 0, 410), (0, 2, 0, 1, 200), (0, 2, 0, 2, 410),
            (1000, 2, 1000, 1, 200), (1000, 2, 999, 2, 200), (1000, 2, 1000, 2, 410),
        ] as [(Int64, Int, Int64, Int, Int)])
    func `an uninstalled app gets 410 when the rule's delay and pushes are reached`(
        delay: Int64, pushes: Int, passed: Int64, sent: Int, status: Int
    ) {
        let fixture = EngineFixture { $0.unregisterRule = UnregisterRule(delay: delay, pushes: pushes) }
        fixture.make("d")
        fixture.uninstall("d")
        let gone = fixture.now
        for _ in 0..<sent { #expect(fixture.push(to: "d").status == 200) }
        fixture.advance(passed)
        _ = fixture.take()
        let answer = fixture.push(to: "d")
        #expect(answer.status == status)
        if status == 410 {
            #expect(answer.reason == "Unregistered")
            #expect(answer.json?["timestamp"]?.int64 == gone.milliseconds + delay)
            #expect(fixture.take() == ["refused p\(sent + 1) apns.Unregistered 410 Unregistered"])
        } else {
            #expect(fixture.take().last == "dropped p\(sent + 1) d apns.discarded-unregistered")
        }
    }

    @Test func `a device that is offline reports the removal when it is back`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        fixture.uninstall("d")
        _ = fixture.take()
        #expect(fixture.push(to: "d").status == 200)
        #expect(fixture.take() == ["accepted p1 d apns.received 200", "stored p1 d apns.stored-offline"])
        fixture.advance(1000)
        fixture.set("d", #"{"online":true}"#)
        #expect(fixture.take() == ["state d", "dropped p1 d apns.discarded-unregistered-from-storage after 1000"])
        let answer = fixture.push(to: "d")
        #expect(answer.description == "410 Unregistered")
        #expect(answer.json?["timestamp"]?.int64 == fixture.now.milliseconds)
    }

    @Test func `a replaced token gets 410, and the new one is delivered`() {
        let fixture = EngineFixture()
        fixture.make("d")
        let old = fixture.apnsToken("d")
        fixture.advance(1000)
        fixture.perform(.rotateToken(.apns), on: "d")
        fixture.advance(1000)
        let answer = fixture.push(old)
        #expect(answer.description == "410 Unregistered")
        #expect(answer.json?["timestamp"]?.int64 == EngineFixture.start.milliseconds + 1000)
        #expect(fixture.push(to: "d").status == 200)
    }
}
