import PushCore
import Testing

@testable import APNs

@Suite struct PayloadTests {
    static let image = #""fcm_options":{"image":"https://a.example/b.png"}"#

    /// A payload, the rule for which `strict` refuses it, and the other findings.
    static let rows: [(String, String?, [String])] = [
        (#"{"aps":{"alert":"x","badge":1,"sound":"default","thread-id":"t","category":"c"}}"#, nil, []),
        (#"{"aps":{"alert":{"title":"a","loc-args":["b"]},"sound":{"critical":1,"name":"n","volume":0.5}}}"#, nil, []),
        ("{}", nil, ["payload.no-aps"]), (#"{"foo":"bar"}"#, nil, ["payload.no-aps"]),
        (#"{"mdm":"magic"}"#, nil, []),
        (#"{"alert":"x"}"#, nil, ["payload.alert-beside-aps"]),
        (#"{"alert":"x","aps":{"badge":1}}"#, nil, ["payload.alert-beside-aps"]),
        (#"{"alert":"x","aps":{"content-available":1,"badge":1}}"#, nil, []),
        (#"{"alert":"x","aps":{"alert":"y"}}"#, nil, []),
        (#"{"aps":{"alert":"x","timestamp":1800000000000}}"#, nil, ["live-activity.milliseconds"]),
        ("", nil, []), ("x", "payload.not-json", []), (#"{"aps":{}"#, "payload.not-json", []),
        ("[]", "payload.not-an-object", []), (#""text""#, "payload.not-an-object", []),
        ("1", "payload.not-an-object", []),
        (#"{"aps":[1]}"#, "aps.wrong-type", []), (#"{"aps":"x"}"#, "aps.wrong-type", []),
        (#"{"aps":{"alert":1}}"#, "aps.wrong-type", []),
        (#"{"aps":{"badge":"1"}}"#, "aps.wrong-type", []), (#"{"aps":{"sound":1}}"#, "aps.wrong-type", []),
        (#"{"aps":{"content-available":1.0}}"#, nil, ["background.priority-10"]),
        (#"{"aps":{"thread-id":5}}"#, "aps.wrong-type", []), (#"{"aps":{"alert":{"title":1}}}"#, "aps.wrong-type", []),
        (#"{"aps":{"alert":{"loc-args":[1]}}}"#, "aps.wrong-type", []),
        (#"{"aps":{"url-args":["a"],"relevance-score":0.5,"content-changed":true}}"#, nil, []),
        (#"{"aps":{"alert":"x","mutable-content":1}}"#, nil, []),
        (#"{"aps":{"alert":"x","mutable-content":1.0}}"#, nil, []),
        (#"{"aps":{"alert":"x","mutable-content":10e-1}}"#, nil, []),
        (#"{"aps":{"alert":"x","mutable-content":0}}"#, nil, []),
        (#"{"aps":{"alert":"x","mutable-content":true}}"#, "aps.mutable-content-not-1", []),
        (#"{"aps":{"alert":"x","mutable-content":"1"}}"#, "aps.mutable-content-not-1", []),
        (#"{"aps":{"alert":"x","mutable-content":2}}"#, "aps.mutable-content-not-1", []),
        (#"{"aps":{"mutable-content":1}}"#, nil, ["aps.mutable-content-without-alert"]),
        (#"{"aps":{"alert":"x","frobnicate":1}}"#, nil, ["aps.unknown-key"]),
        (#"{"aps":{"alert":"x"},"a":null}"#, nil, ["payload.null-value"]),
        (#"{"aps":{"alert":"x"},"Simulator Target Bundle":"b"}"#, nil, ["payload.simulator-target-bundle"]),
        (#"{"aps":{"alert":"x","mutable-content":1},\#(image)}"#, nil, []),
        (#"{"aps":{"alert":"x"},\#(image)}"#, "media.needs-mutable-content", []),
        (#"{"aps":{"alert":"x","mutable-content":0},\#(image)}"#, "media.needs-mutable-content", []),
        (
            #"{"\#("media-attachment-url")":"https://a.example/b.png","aps":{"alert":"x"}}"#,
            "media.needs-mutable-content", []
        ),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"media-attachment-url":"http://a.example/b.MP4"}"#, nil,
            ["media.http"]
        ),
        (
            #"{"aps":{"alert":"x"},"media-attachment-url":"","fcm_options":{"image":""}}"#, nil,
            ["media.empty-url", "media.empty-url"]
        ),
        (#"{"aps":{"alert":"x","mutable-content":1},"media-attachment-url":" "}"#, "media.not-an-absolute-url", []),
        (#"{"aps":{"alert":"x","mutable-content":1},"media-attachment-url":5}"#, "media.not-an-absolute-url", []),
        (#"{"aps":{"alert":"x"},"media-attachment-url":null}"#, nil, ["payload.null-value"]),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"fcm_options":{"image":"https://a.example/b"}}"#,
            "media.no-file-extension", []
        ),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"fcm_options":{"image":"https://a.example/b.webp"}}"#,
            "media.unknown-file-extension", []
        ),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"fcm_options":{"image":"https://foo.bar.pizza-monster.png"}}"#,
            "media.no-file-extension", ["media.host-looks-like-a-file"]
        ),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"fcm_options":{"image":"https://a.example?b.png"}}"#,
            "media.no-file-extension", []
        ),
        (#"{"aps":{"alert":"x"},"mutable-content":1}"#, nil, ["payload.mutable-content-beside-aps"]),
        (#"{"aps":{"alert":"x","sound":{"critical":1}}}"#, nil, ["aps.sound-shape"]),
        (#"{"aps":{"alert":"x","sound":{"name":"n","volume":1.5}}}"#, nil, ["aps.sound-shape"]),
        (#"{"aps":{"alert":"x","sound":{"name":"n","critical":true}}}"#, nil, ["aps.sound-shape"]),
        (#"{"aps":{"alert":"x","interruption-level":"loud"}}"#, nil, ["aps.interruption-level"]),
        (#"{"aps":{"alert":"x","interruption-level":"time-sensitive"}}"#, nil, []),
        (#"{"aps":{"alert":"x","relevance-score":1.5}}"#, nil, ["aps.relevance-score"]),
        (
            #"{"aps":{"alert":"x"},"_acsDeliveryTracking":"On","_mId":"h1685a5","_dId":"7fffffff"}"#, nil,
            ["adobe.tracking-switch"]
        ),
        (
            #"{"aps":{"alert":"x"},"_acsDeliveryTracking":"off","_mId":"1685a5","_dId":"80000000","_other":1}"#, nil,
            ["adobe.tracking-id", "adobe.tracking-id"]
        ),
    ]

    @Test(arguments: rows)
    func `strict refuses payloads that a phone can't use, and service accepts them with a finding`(
        row: (body: String, rule: String?, findings: [String])
    ) {
        guard !row.body.isEmpty else { return }
        let sample = PushSample { $0.body = row.body }
        let strict = sample.verdict()
        #expect(strict.rule == row.rule)
        #expect(strict.reason == (row.rule == nil ? nil : .invalidPayload))
        #expect(strict.findings == (row.rule.map { [$0] } ?? []) + row.findings)
        let service = sample.verdict(PushSample.policy { $0.validation = .service })
        #expect(service.reason == nil)
        #expect(service.findings == strict.findings)
    }

    @Test func `a compressed payload is recognized`() {
        let report = PayloadReport([0x1F, 0x8B, 8, 0], type: nil, validation: .strict)
        #expect(
            report.refusal?.message.contains("compressed with gzip, but content-encoding is decoded only on") == true)
    }

    @Test
    func `a payload with many faults has a limited number of findings, and the first that refuses it is among them`() {
        let unknown = (0..<300).map { #""k\#($0)":1"# }.joined(separator: ",")
        let verdict = PushSample { $0.body = #"{"aps":{\#(unknown),"badge":"x"}}"# }.verdict()
        #expect(verdict.rule == "aps.wrong-type")
        #expect(verdict.findings.count == 21)
    }

    static let activities: [(String, Bool)] = [
        (
            #"{"event":"start","timestamp":1,"content-state":{},"attributes-type":"A","attributes":{},"alert":{"title":{"loc-key":"k"}}}"#,
            true
        ),
        (#"{"event":"start","timestamp":1,"content-state":{},"attributes-type":"A","attributes":{}}"#, false),
        (#"{"event":"start","timestamp":1,"content-state":{},"attributes":{},"alert":"x"}"#, false),
        (#"{"event":"update","timestamp":1,"content-state":{"a":1}}"#, true),
        (#"{"event":"update","content-state":{}}"#, false),
        (#"{"event":"update","timestamp":1}"#, false), (#"{"event":"end","timestamp":1}"#, true),
        (#"{"event":"end"}"#, false),
        (#"{"event":"update","timestamp":1,"content-state":null}"#, false),
        (#"{"event":"end","timestamp":1,"content-state":null,"dismissal-date":null}"#, true),
        (#"{"event":"pause","timestamp":1}"#, false), (#"{"timestamp":1,"content-state":{}}"#, false),
    ]

    @Test(arguments: activities)
    func `each event of a Live Activity has required keys`(row: (aps: String, isGood: Bool)) {
        let sample = PushSample {
            $0.topic = "com.example.app.push-type.liveactivity"
            $0.more = [("apns-push-type", "liveactivity")]
            $0.body = #"{"aps":\#(row.aps)}"#
        }
        #expect(sample.verdict().reason == (row.isGood ? nil : .invalidPayload))
        #expect(sample.verdict().rule == (row.isGood ? nil : "live-activity.incomplete"))
    }

    /// Checks every pair of pushes in sequence, so that the result for one is never used for another.
    @Test func `the push before does not change the result`() {
        let bodies = [
            #"{"aps":{"alert":"a"}}"#, #"{"aps":{"alert":"b"}}"#, #"{"aps":{"alert":"a","mutable-content":true}}"#,
            #"{"aps":{"alert":1}}"#, #"{"aps":{"content-available":1}}"#, #"{"aps":{"colour":1}}"#, "[]", "{}",
        ]
        let topics = ["com.example.app", "com.example.apq", "com.example.app.voip", "com.example/app"]
        let kinds: [[(String, String)]] = [
            [], [("apns-push-type", "background")], [("apns-push-type", "background"), ("apns-priority", "5")],
        ]
        var samples: [PushSample] = []
        for body in bodies {
            for topic in topics {
                for kind in kinds {
                    samples.append(
                        PushSample {
                            $0.body = body
                            $0.topic = topic
                            $0.more = kind
                        })
                }
            }
        }
        let alone = samples.map { $0.verdict() }
        #expect(Set(alone.map { "\($0.reason as APNsReason?) \($0.findings)" }).count > 8)
        for first in samples {
            for (sample, expected) in zip(samples, alone) {
                var (session, memo) = (APNsSession(), PushCheckCache())
                _ = first.verdict(on: &session, &memo)
                #expect(sample.verdict(on: &session, &memo) == expected)
                #expect(sample.verdict(on: &session, &memo) == expected)
            }
        }
    }
}
