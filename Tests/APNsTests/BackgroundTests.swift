import PushCore
import Testing

@testable import APNs

/// Pushes that wake the app, and pushes that only claim to.
@Suite struct BackgroundTests {
    @Test func `a background push of priority 10 is refused if the policy says so`() {
        let policy = PushSample.policy { $0.backgroundPriority = .reject }
        func reason(_ more: [(String, String)]) -> APNsReason? {
            PushSample {
                $0.more = more
                $0.body = #"{"aps":{"content-available":1}}"#
            }.verdict(policy).reason
        }
        #expect(reason([("apns-push-type", "background")]) == .badPriority)
        #expect(reason([("apns-push-type", "background"), ("apns-priority", "5")]) == nil)
        // The payload says that it is a background push.
        #expect(reason([("apns-push-type", "alert")]) == .badPriority)
        #expect(reason([]) == .badPriority)
        #expect(reason([("apns-priority", "5")]) == nil)
    }

    /// The push type, the priority, the payload, and the findings.
    static let background: [(type: String, priority: String, body: String, findings: [String])] = [
        ("background", "5", silent, []), ("", "5", silent, []), ("voip", "10", silent, []),
        ("background", "10", silent, ["background.priority-10"]), ("", "10", silent, ["background.priority-10"]),
        ("alert", "5", silent, ["alert.only-content-available"]),
        ("alert", "10", silent, ["alert.only-content-available", "background.priority-10"]),
        ("alert", "10", #"{"aps":{"content-available":1,"badge":0}}"#, []),
        ("alert", "10", #"{"aps":{"content-available":1,"sound":"a"}}"#, []),
        ("", "10", #"{"aps":{"content-available":1,"alert":"x"}}"#, []),
        ("alert", "10", #"{"aps":{"content-available":0}}"#, []), ("alert", "10", "{}", ["payload.no-aps"]),
        ("background", "5", #"{"aps":{"content-available":1,"alert":"x"}}"#, ["background.with-alert"]),
        ("background", "5", #"{"aps":{"content-available":1,"badge":1}}"#, ["background.with-alert"]),
        (
            "background", "5", #"{"aps":{"alert":"x"}}"#,
            ["background.with-alert", "background.without-content-available"]
        ),
        ("background", "5", #"{"aps":{"content-available":0}}"#, ["background.without-content-available"]),
        ("background", "5", "{}", ["background.without-content-available"]),
        ("background", "1", #"{"a":1}"#, ["background.without-content-available"]),
        (
            "background", "5", #"{"aps":{"content-available":1,"alert":null,"badge":null,"sound":null}}"#,
            ["aps.null-value", "aps.null-value", "aps.null-value"]
        ),
    ]
    private static let silent = #"{"aps":{"content-available":1}}"#

    @Test(arguments: background.indices) func `a background push whose fields do not fit gets findings`(index: Int) {
        let row = Self.background[index]
        let sample = PushSample {
            if !row.type.isEmpty { $0.more.append(("apns-push-type", row.type)) }
            $0.more.append(("apns-priority", row.priority))
            $0.topic = "com.example.app" + (row.type == "voip" ? ".voip" : "")
            $0.body = row.body
        }
        #expect(sample.verdict().findings == row.findings, "\(row)")
    }
}
