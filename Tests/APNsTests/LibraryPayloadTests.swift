import PushCore
import Testing

@testable import APNs

/// Odd payloads that common libraries send (docs/evidence/apns.md §5.7). They are accepted, with findings.
@Suite struct LibraryPayloadTests {
    /// A payload, the rule for which `strict` refuses it, and the other findings.
    static let rows: [(String, String?, [String])] = [
        (#"{"aps":[]}"#, nil, ["aps.empty-value"]), (#"{"aps":""}"#, nil, ["aps.empty-value"]),
        (#"{"aps":null}"#, nil, ["aps.null-value"]), (#"{"aps":{"alert":"x","badge":null}}"#, nil, ["aps.null-value"]),
        (
            #"{"aps":{"alert":"hello","badge":null,"sound":null,"thread-id":null}}"#, nil,
            ["aps.null-value", "aps.null-value", "aps.null-value"]
        ),
        (
            #"{"aps":{"alert":{"title":null,"body":"x","loc-args":null,"title-loc-args":["a",null]}}}"#, nil,
            ["aps.null-value", "aps.null-value", "aps.null-value"]
        ),
        (#"{"aps":{"alert":"x","mutable-content":null}}"#, nil, ["aps.null-value"]),
        (
            #"{"aps":{"alert":"x","sound":{"name":"n","critical":null,"volume":null}}}"#, nil,
            ["aps.null-value", "aps.null-value"]
        ),
        (
            #"{"aps":{"alert":null,"mutable-content":1}}"#, nil,
            ["aps.null-value", "aps.mutable-content-without-alert"]
        ),
        (#"{"aps":{"content-available":"1"}}"#, nil, ["aps.flag-not-a-number"]),
        (#"{"aps":{"content-available":true}}"#, nil, ["aps.flag-not-a-number"]),
        (#"{"aps":{"content-available":2}}"#, "aps.wrong-type", []),
        (#"{"aps":{"content-available":"yes"}}"#, "aps.wrong-type", []),
    ]

    @Test(arguments: rows)
    func `null, empty values and flags as text refuse nothing`(row: (body: String, rule: String?, findings: [String])) {
        let verdict = PushSample { $0.body = row.body }.verdict()
        #expect(verdict.rule == row.rule)
        #expect(verdict.findings == (row.rule.map { [$0] } ?? []) + row.findings)
    }
}
