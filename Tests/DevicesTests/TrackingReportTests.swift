import Devices
import PushCore
import Testing

/// The reports to Adobe Campaign for the acts of a person (docs/evidence/device.md §1.2, §1.5).
@Suite struct TrackingReportTests {
    static let adobe = #""tracking":{"profile":"adobe","ecid":"E"}"#

    struct Hits: CustomTestStringConvertible {
        let name: String
        var spec = TrackingReportTests.adobe
        var state = "{}"
        let payload: String
        var act: UserAction?
        let actions: String
        var testDescription: String { name }
    }

    static let hits = [
        Hits(
            name: "K8 in the foreground, an alert", state: #"{"app":"foreground"}"#, payload: PersonTests.payload(),
            actions: "7"),
        Hits(name: "K16 in the background, only an alert", payload: PersonTests.payload(), actions: ""),
        Hits(
            name: "K16 in the background, with content-available",
            payload: PersonTests.payload(aps: #","content-available":1"#),
            actions: "7"),
        Hits(
            name: "K20 in the foreground, with both, once", state: #"{"app":"foreground"}"#,
            payload: PersonTests.payload(aps: #","content-available":1"#), actions: "7"),
        Hits(
            name: "X17 in the foreground, silent", state: #"{"app":"foreground"}"#,
            payload: #"{"aps":{"content-available":1},"_mId":"h1","_dId":"2"}"#, actions: ""),
        Hits(
            name: "K15 force-quit", state: #"{"app":"forceQuit"}"#,
            payload: PersonTests.payload(aps: #","content-available":1"#),
            actions: ""),
        Hits(name: "K10 opened", payload: PersonTests.payload(), act: .open("n1"), actions: "21"),
        Hits(name: "K9 dismissed", payload: PersonTests.payload(), act: .dismiss("n1"), actions: "2"),
        Hits(
            name: "K17 dismissed, of another category", payload: PersonTests.payload("MUTE"), act: .dismiss("n1"),
            actions: ""),
        Hits(
            name: "X15 an action counts as an opening", payload: PersonTests.payload(),
            act: .action("n1", id: "SAY", text: "x"),
            actions: "21"),
        Hits(
            name: "K1 on",
            payload: PersonTests.payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"on""#),
            act: .open("n1"), actions: "21"),
        Hits(
            name: "X18 the tap does not report a second impression",
            payload: PersonTests.payload(aps: #","content-available":1"#),
            act: .open("n1"), actions: "721"),
        Hits(
            name: "X21 the extension of a force-quit app reports nothing",
            spec: adobe + #","extension":{"script":"echo"}"#, state: #"{"app":"forceQuit"}"#,
            payload: #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"_mId":"h1","_dId":"2"}"#, actions: ""),
        Hits(
            name: "K3 off",
            payload: PersonTests.payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"off""#),
            act: .open("n1"), actions: ""),
        Hits(
            name: "K4 On",
            payload: PersonTests.payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"On""#),
            act: .open("n1"), actions: "21"),
        Hits(
            name: "K4 with a space",
            payload: PersonTests.payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"on ""#),
            act: .open("n1"),
            actions: ""),
        Hits(
            name: "X2 the words of the Japanese page",
            payload: PersonTests.payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"オン""#),
            act: .open("n1"),
            actions: ""),
        Hits(
            name: "K5 false",
            payload: PersonTests.payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":false"#),
            act: .open("n1"), actions: "21"),
        Hits(
            name: "K5 numbers for ids", payload: PersonTests.payload("DEFAULT", #","_mId":1,"_dId":2"#),
            act: .open("n1"),
            actions: ""),
        Hits(
            name: "K6 one id", payload: PersonTests.payload("DEFAULT", #","_mId":"h1""#), act: .open("n1"), actions: ""),
        Hits(
            name: "no tracking", spec: #""tracking":{"profile":"none","ecid":"E"}"#, payload: PersonTests.payload(),
            act: .open("n1"), actions: ""),
        Hits(
            name: "opted out", spec: #""tracking":{"profile":"adobe","ecid":"E","privacy":"optedout"}"#,
            payload: PersonTests.payload(), act: .open("n1"), actions: ""),
        Hits(
            name: "privacy unknown", spec: #""tracking":{"profile":"adobe","ecid":"E","privacy":"unknown"}"#,
            payload: PersonTests.payload(), act: .open("n1"), actions: ""),
    ]

    @Test(arguments: hits) func `on iOS, Adobe's code reports these actions`(row: Hits) throws {
        var phone = try PhoneSample(.ios, PersonTests.categories + "," + row.spec)
        try phone.set(row.state)
        var output = try phone.push(row.payload)
        if let act = row.act { output += phone.handle(.act(act)) }
        #expect(
            output.filter { $0.hasPrefix("hit") }.compactMap { $0.split(separator: " ")[1].last }.map(String.init)
                .joined() == row.actions)
    }

    private static func data(_ more: String) -> String { #"{"data":{"title":"T","body":"B"\#(more)}}"# }
    private static let ids = #","_mId":"h138a","_dId":"56c4""#

    static let androidHits = [
        Hits(name: "K12 data, in every state", state: #"{"app":"terminated"}"#, payload: data(ids), actions: "7"),
        Hits(
            name: "X20 reported although notifications are denied", state: #"{"permission":"denied"}"#,
            payload: data(ids),
            actions: "7"),
        Hits(
            name: "K12 a notification, in the background",
            payload: #"{"notification":{"title":"T"},"data":{"_mId":"h1","_dId":"2"}}"#, actions: ""),
        Hits(name: "K10, K14 opened: the activity reports", payload: data(ids), act: .open("n1"), actions: "721"),
        Hits(name: "K9, K13 dismissed: the receiver reports", payload: data(ids), act: .dismiss("n1"), actions: "72"),
        Hits(name: "K4 ON", payload: data(ids + #","_acsDeliveryTracking":"ON""#), act: .open("n1"), actions: ""),
        Hits(name: "K2 absent", payload: data(ids), actions: "7"),
        Hits(
            name: "a delivery id that is not hexadecimal", payload: data(#","_mId":"h1","_dId":"zz""#),
            act: .open("n1"),
            actions: "7"),
        Hits(
            name: "a delivery id of 2^31", payload: data(#","_mId":"h1","_dId":"80000000""#), act: .open("n1"),
            actions: "7"),
    ]

    @Test(arguments: androidHits) func `on Android, Adobe's code reports these actions`(row: Hits) throws {
        var phone = try PhoneSample(.android, row.spec)
        try phone.set(row.state)
        var output = try phone.push(row.payload)
        if let act = row.act { output += phone.handle(.act(act)) }
        #expect(
            output.filter { $0.hasPrefix("hit") }.compactMap { $0.split(separator: " ")[1].last }.map(String.init)
                .joined() == row.actions)
    }

    @Test func `K7 a report has the ids as they were sent`() throws {
        var phone = try PhoneSample(.ios, Self.adobe)
        try phone.set(#"{"app":"foreground"}"#)
        #expect(try phone.push(PersonTests.payload()).contains("hit h138a,56c4,7 E"))
    }

    @Test func `X12 Android's notifications share an intent`() throws {
        var phone = try PhoneSample(.android, Self.adobe)
        _ = try phone.push(Self.data(#","_mId":"h1","_dId":"a""#))
        _ = try phone.push(Self.data(#","_mId":"h2","_dId":"b""#))
        #expect(phone.handle(.act(.open("n1"))).filter { $0.hasPrefix("hit") } == ["hit h2,b,2 E", "hit h2,b,1 E"])
        #expect(phone.handle(.act(.dismiss("n2"))).filter { $0.hasPrefix("hit") } == ["hit h1,a,2 E"])
    }

    @Test func `X13 an activity that returns to the foreground reports again`() throws {
        var phone = try PhoneSample(.android, Self.adobe)
        _ = try phone.push(Self.data(Self.ids))
        _ = phone.handle(.act(.open("n1")))
        try phone.set(#"{"app":"background"}"#)
        #expect(phone.handle(.launch).filter { $0.hasPrefix("hit") } == ["hit h138a,56c4,2 E", "hit h138a,56c4,1 E"])
    }

    @Test func `K11 an app that was opened without a notification reports nothing`() throws {
        for platform in [Device.Platform.ios, .android] {
            var phone = try PhoneSample(platform, Self.adobe)
            #expect(phone.handle(.launch).filter { $0.hasPrefix("hit") } == [])
        }
    }
}
