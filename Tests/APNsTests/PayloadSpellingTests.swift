import PushCore
import Testing

@testable import APNs

/// Keys that are nearly right, and values that phones read differently than they were meant.
@Suite struct PayloadSpellingTests {
    /// A payload, and its findings.
    static let rows: [(String, [String])] = [
        (#"{"apss":{"alert":"x"}}"#, ["/apss payload.misspelled-key"]),
        (#"{"APS":{"alert":"x"}}"#, ["/APS payload.misspelled-key", " payload.no-aps"]),
        (#"{"apss":"x"}"#, [" payload.no-aps"]), (#"{"apps":{"alert":"x"},"aps":{"alert":"x"}}"#, []),
        (#"{"aps":{"alert":"x","mutable_content":1}}"#, ["/aps/mutable_content payload.misspelled-key"]),
        (#"{"aps":{"alert":"x","contentAvailable":1}}"#, ["/aps/contentAvailable payload.misspelled-key"]),
        (
            #"{"aps":{"alert":"x","soud":"s","badges":1}}"#,
            ["/aps/soud payload.misspelled-key", "/aps/badges payload.misspelled-key"]
        ),
        (#"{"aps":{"alert":{"titel":"x"}}}"#, ["/aps/alert/titel payload.misspelled-key"]),
        (
            #"{"aps":{"alert":"x","sound":{"name":"n","Critical":1,"volum":1}}}"#,
            ["/aps/sound/Critical payload.misspelled-key", "/aps/sound/volum payload.misspelled-key"]
        ),
        (#"{"aps":{"alert":"x","interuption-level":"active"}}"#, ["/aps/interuption-level payload.misspelled-key"]),
        (#"{"aps":{"alert":"x","bagde":1}}"#, ["/aps/bagde payload.misspelled-key"]),
        (#"{"aps":{"alert":{"titel":"x"}}}"#, ["/aps/alert/titel payload.misspelled-key"]),
        (#"{"aps":{"alert":{"title":"x","bdy":"y"}}}"#, ["/aps/alert/bdy payload.misspelled-key"]),
        (#"{"aps":{"badge":-1}}"#, ["/aps/badge aps.negative-badge"]),
        (#"{"aps":{"badge":0}}"#, []), (#"{"aps":{"badge":-0}}"#, []),
        (#"{"aps":{"alert":"x","frobnicate":1}}"#, ["/aps/frobnicate aps.unknown-key"]),
        (
            #"{"aps":{"alert":{"title_loc_key":"k","loc-arg":["a"],"own":1}}}"#,
            ["/aps/alert/title_loc_key payload.misspelled-key", "/aps/alert/loc-arg payload.misspelled-key"]
        ),
        (#"{"aps":{"alert":{"title-loc-arg":["a"]}}}"#, ["/aps/alert/title-loc-arg payload.misspelled-key"]),
        (#"{"aps":{"alert":"x"},"mutable_content":1}"#, ["/mutable_content payload.mutable-content-beside-aps"]),
        (#"{"aps":{"alert":"x"},"content-available":1}"#, ["/content-available payload.mutable-content-beside-aps"]),
        (
            #"{"aps":{"alert":"x"},"fcm_option":{"image":"https://a.example/b.png"}}"#,
            ["/fcm_option payload.misspelled-key"]
        ),
        (
            #"{"aps":{"alert":"x"},"mediaAttachmentUrl":"https://a.example/b.png"}"#,
            ["/mediaAttachmentUrl payload.misspelled-key"]
        ),
        (
            #"{"aps":{"alert":"x"},"fcm_options":{"imageUrl":"https://a.example/b.png"}}"#,
            [
                "/fcm_options/imageUrl payload.misspelled-key"
            ]
        ),
        (#"{"aps":{"alert":"x"},"fcm_options":{"analytics_label":"a"}}"#, []),
        (#"{"aps":{"alert":"x"},"imageUrl":"https://a.example/b.png"}"#, ["/imageUrl media.unread-key"]),
        (#"{"aps":{"alert":"x"},"image-url":"https://a.example/b.png"}"#, ["/image-url media.unread-key"]),
        (#"{"aps":{"alert":"x"},"data":{"image":"https://a.example/b.png"}}"#, ["/data/image media.unread-key"]),
        (#"{"aps":{"alert":"x"},"data.image":"https://a.example/b.png"}"#, ["/data.image media.unread-key"]),
        (#"{"aps":{"alert":"x","image":"https://a.example/b.png"}}"#, ["/aps/image media.unread-key"]),
        (
            #"{"aps":{"alert":{"title":"x","imageUrl":"https://a.example/b.png"}}}"#,
            ["/aps/alert/imageUrl media.unread-key"]
        ),
        (#"{"aps":{"alert":"x"},"data":{"order":"https://a.example/b.png"}}"#, []),
        (#"{"aps":{"alert":"x"},"image":"b.png","url":"https://a.example/b.png","app":"x"}"#, []),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"image":"https://a.example/b","fcm_options":{"image":"https://a.example/b.png"}}"#,
            []
        ),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"media-attachment-url":"https://localhost:80/b.png"}"#,
            ["/media-attachment-url media.localhost"]
        ),
        (
            #"{"aps":{"alert":"x","interruption-level":"critical","sound":"default"}}"#,
            ["/aps/sound aps.critical-without-critical-sound"]
        ),
        (
            #"{"aps":{"alert":"x","interruption-level":"critical","sound":{"name":"n","critical":0}}}"#,
            ["/aps/sound aps.critical-without-critical-sound"]
        ),
        (#"{"aps":{"alert":"x","interruption-level":"critical","sound":{"name":"n","critical":1}}}"#, []),
        (#"{"aps":{"alert":"x","interruption-level":"critical"}}"#, []),
        (#"{"aps":{"alert":"x","interruption-level":"active","sound":"default"}}"#, []),
    ]

    @Test(arguments: rows) func `a likely mistake is a finding that refuses nothing`(
        row: (body: String, found: [String])
    ) {
        let report = PayloadReport(Array(row.body.utf8), type: nil, validation: .strict)
        #expect(report.refusal == nil)
        #expect(report.findings.map { "\($0.path) \($0.rule)" } == row.found)
    }

    @Test(arguments: ["timestamp", "stale-date", "dismissal-date"])
    func `a Live Activity's times are in seconds`(key: String) {
        for (time, isNoted) in [("99999999999", false), ("1800000000000", true), ("1.8e12", true), ("1e308", true)] {
            let times = key == "timestamp" ? #""timestamp":\#(time)"# : #""timestamp":1,"\#(key)":\#(time)"#
            let body = #"{"aps":{"event":"end",\#(times)}}"#
            let report = PayloadReport(Array(body.utf8), type: .liveactivity, validation: .strict)
            let found = report.findings.map { "\($0.path) \($0.rule)" }
            #expect(found == (isNoted ? ["/aps/\(key) live-activity.milliseconds"] : []), "\(time)")
        }
    }

    @Test func `a finding names the spelling that was probably meant`() {
        let report = PayloadReport(Array(#"{"aps":{"mutable_content":1}}"#.utf8), type: nil, validation: .strict)
        #expect(report.findings.first?.message.hasPrefix("Did you mean 'mutable-content'?") == true)
    }
}
