import APNs
import Devices
import PushCore
import Testing

@testable import PushEngine

/// Pushes that Apple accepts, and drops because their fields do not fit.
@Suite struct BackgroundPushTests {
    private static let silent = #"{"aps":{"content-available":1}}"#
    private static let both = #"{"aps":{"content-available":1,"alert":"x"}}"#
    private static let alert = #"{"aps":{"alert":"x"}}"#

    /// The push type, the priority, the payload, and why the push is dropped.
    static let rows: [(type: String, priority: String, body: String, why: String?)] = [
        ("background", "5", silent, nil), ("background", "1", silent, nil), ("", "5", silent, nil),
        ("background", "10", silent, "apns.background-priority"),
        ("background", "", silent, "apns.background-priority"),
        ("", "", silent, "apns.background-priority"), ("alert", "", silent, "apns.background-priority"),
        ("alert", "5", silent, "apns.wrong-push-type"), ("background", "5", both, "apns.wrong-push-type"),
        ("background", "5", alert, "apns.wrong-push-type"), ("background", "5", "{}", "apns.wrong-push-type"),
        ("background", "10", both, "apns.background-priority"),
        ("alert", "10", both, nil), ("", "10", both, nil), ("alert", "10", alert, nil), ("alert", "10", "{}", nil),
    ]

    private func fate(_ fixture: EngineFixture, _ row: (type: String, priority: String, body: String, why: String?))
        -> String?
    {
        fixture.silently { if fixture.engine.devices.count == 0 { fixture.make("d") } }
        let fields = ["apns-push-type": row.type, "apns-priority": row.priority]
        #expect(fixture.push(to: "d", fields, body: row.body).status == 200)
        let fate = fixture.take().last
        if fate?.hasSuffix(" d apns.delivered") == true { return nil }
        return fate?.split(separator: " ").last.map(String.init)
    }

    @Test(arguments: rows.indices) func `what does not fit is dropped`(index: Int) {
        #expect(fate(EngineFixture(), Self.rows[index]) == Self.rows[index].why)
    }

    @Test func `a policy accepts priority 10`() {
        let accepting = EngineFixture { $0.apns.backgroundPriority = .accept }
        #expect(fate(accepting, ("background", "10", Self.silent, nil)) == nil)
        #expect(fate(accepting, ("", "", Self.silent, nil)) == nil)
        #expect(fate(accepting, ("background", "10", Self.both, nil)) == "apns.wrong-push-type")
    }

    @Test(arguments: rows.indices) func `a policy refuses what would be dropped because of its priority`(index: Int) {
        let row = Self.rows[index]
        let fixture = EngineFixture { $0.apns.backgroundPriority = .reject }
        fixture.make("d")
        let fields = ["apns-push-type": row.type, "apns-priority": row.priority]
        let reason = fixture.push(to: "d", fields, body: row.body).reason
        #expect(reason == (row.why == "apns.background-priority" ? "BadPriority" : nil), "\(row)")
    }

    @Test func `a choice delivers what has the wrong push type`() {
        let fixture = EngineFixture { $0.apns.choices = [.wrongPushType] }
        for row in Self.rows {
            #expect(fate(fixture, row) == (row.why == "apns.wrong-push-type" ? nil : row.why), "\(row)")
        }
    }

    @Test func `a dropped push does not wait and replaces none that waits`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        fixture.push(to: "d")
        fixture.push(to: "d", body: Self.silent)
        _ = fixture.take()
        fixture.set("d", #"{"online":true}"#)
        #expect(fixture.take() == ["state d", "delivered p1 d apns.delivered-from-storage after 0"])
    }

    @Test func `a dropped push has its findings in the log`() {
        let fixture = EngineFixture()
        fixture.push(["apns-push-type": "alert"], body: Self.silent)
        #expect(fixture.lastFindings == ["alert.only-content-available", "background.priority-10"])
    }
}
