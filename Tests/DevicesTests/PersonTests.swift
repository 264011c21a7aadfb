import Devices
import PushCore
import Testing

/// The acts of a person, and the callbacks and reports to Adobe Campaign for them (docs/evidence/device.md §1.2, §1.5,
/// §2.3(13)).
@Suite struct PersonTests {
    private static let categories =
        #""categories":[{"id":"DEFAULT","customDismissAction":true,"actions":[{"id":"YES","title":"Yes","foreground":true},{"id":"SAY","title":"Say","text":true}]},{"id":"MUTE","actions":[]}]"#
    private static let adobe = #""tracking":{"profile":"adobe","ecid":"E"}"#

    private static func payload(
        _ category: String = "DEFAULT", _ more: String = #","_mId":"h138a","_dId":"56c4""#, aps: String = ""
    ) -> String {
        #"{"aps":{"alert":"B","category":"\#(category)"\#(aps)}\#(more)}"#
    }

    @Test func `a tap opens the app and calls its response handler`() throws {
        var phone = try PhoneSample(.ios, Self.categories)
        _ = try phone.push(Self.payload())
        #expect(
            phone.handle(.act(.open("n1"))) == [
                "opened person.opened notification=n1", "state person.opened app=foreground locked=false",
                "callback person.opened name=didReceiveResponse actionIdentifier=com.apple.UNNotificationDefaultActionIdentifier",
            ])
        #expect(phone.registry[0].phone.shade.count == 0)
        #expect(phone.registry[0].state.app == .foreground)
    }

    @Test(arguments: [("DEFAULT", true), ("MUTE", false), ("UNKNOWN", false)])
    func `the app learns of a dismissal if the category asks for it`(category: String, isReported: Bool) throws {
        var phone = try PhoneSample(.ios, Self.categories)
        _ = try phone.push(Self.payload(category))
        let callback =
            "callback person.dismissed name=didReceiveResponse actionIdentifier=com.apple.UNNotificationDismissActionIdentifier"
        #expect(
            phone.handle(.act(.dismiss("n1"))) == ["dismissed person.dismissed notification=n1"]
                + (isReported ? [callback] : []))
    }

    @Test func `actions run the app in the background, or bring it to the front`() throws {
        var phone = try PhoneSample(.ios, Self.categories)
        _ = try phone.push(Self.payload())
        #expect(
            phone.handle(.act(.action("n1", id: "SAY", text: "hi"))) == [
                "action person.acted notification=n1 actionId=SAY text=hi",
                "callback person.acted name=didReceiveResponse actionIdentifier=SAY userText=hi",
            ])
        _ = try phone.push(Self.payload())
        #expect(
            phone.handle(.act(.action("n2", id: "YES", text: nil)))[1]
                == "state person.acted app=foreground locked=false")
        #expect(phone.registry.obstacle(to: .open("n2"), at: 0)?.pointer == "/notification")
        _ = try phone.push(Self.payload())
        #expect(phone.registry.obstacle(to: .action("n3", id: "NO", text: nil), at: 0)?.pointer == "/actionId")
        #expect(phone.registry.obstacle(to: .action("n3", id: "YES", text: "hi"), at: 0)?.pointer == "/text")
    }

    @Test func `a background action runs an app that the system had terminated`() throws {
        var phone = try PhoneSample(.ios, Self.categories)
        _ = try phone.push(Self.payload())
        try phone.set(#"{"app":"terminated"}"#)
        #expect(
            phone.handle(.act(.action("n1", id: "SAY", text: "hi"))) == [
                "action person.acted notification=n1 actionId=SAY text=hi", "state person.acted app=background",
                "callback person.acted name=didReceiveResponse actionIdentifier=SAY userText=hi",
            ])
    }

    @Test func `Android starts the activity that the message names, and a sticky notification stays`() throws {
        var phone = try PhoneSample(.android)
        _ = try phone.push(#"{"notification":{"title":"T","clickAction":"SHOP","sticky":true},"data":{}}"#)
        for _ in 0..<2 {
            #expect(phone.handle(.act(.open("n1"))).contains("callback person.opened name=onCreate action=SHOP"))
        }
        #expect(phone.handle(.act(.dismiss("n1"))) == ["dismissed person.dismissed notification=n1"])
        #expect(phone.registry[0].phone.shade.count == 0)
        try phone.set(#"{"app":"background"}"#)
        _ = try phone.push(#"{"notification":{"title":"T"},"data":{}}"#)
        #expect(phone.handle(.act(.open("n2"))).contains("callback person.opened name=onCreate"))
        #expect(phone.registry[0].phone.shade.count == 0)
    }

    @Test(arguments: [("https://example.com/a", true), ("https://example.org/a", false), ("/a", false)])
    func `a browser opens only pages of the same site`(link: String, isOpened: Bool) throws {
        var phone = try PhoneSample(.web, app: "https://example.com")
        _ = try phone.push(#"{"notification":{"title":"T"},"fcmOptions":{"link":"\#(link)"}}"#)
        let callback = "callback person.opened name=notificationclick" + (isOpened ? " link=\(link)" : "")
        #expect(phone.handle(.act(.open("n1"))).contains(callback))
    }

    @Test func `everything can be cleared at once`() throws {
        var phone = try PhoneSample(.ios)
        for _ in 0..<3 { _ = try phone.push(Self.payload()) }
        #expect(phone.handle(.clearAll).count == 3)
        #expect(phone.registry[0].phone.shade.count == 0)
    }

    @Test func `an app that was force-quit is woken again after it was opened`() throws {
        var phone = try PhoneSample(.ios)
        #expect(phone.handle(.forceQuit) == ["state person.force-quit app=forceQuit"])
        #expect(try phone.push(#"{"aps":{"content-available":1}}"#) == ["suppressed ios.force-quit"])
        #expect(phone.handle(.launch) == ["state person.launched app=foreground locked=false"])
        #expect(try phone.push(#"{"aps":{"content-available":1}}"#).count == 1)
    }

    struct Hits: CustomTestStringConvertible {
        let name: String
        var spec = PersonTests.adobe
        var state = "{}"
        let payload: String
        var act: PersonAct?
        let actions: String
        var testDescription: String { name }
    }

    static let hits = [
        Hits(name: "K8 in the foreground, an alert", state: #"{"app":"foreground"}"#, payload: payload(), actions: "7"),
        Hits(name: "K16 in the background, only an alert", payload: payload(), actions: ""),
        Hits(
            name: "K16 in the background, with content-available", payload: payload(aps: #","content-available":1"#),
            actions: "7"),
        Hits(
            name: "K20 in the foreground, with both, once", state: #"{"app":"foreground"}"#,
            payload: payload(aps: #","content-available":1"#), actions: "7"),
        Hits(
            name: "X17 in the foreground, silent", state: #"{"app":"foreground"}"#,
            payload: #"{"aps":{"content-available":1},"_mId":"h1","_dId":"2"}"#, actions: ""),
        Hits(
            name: "K15 force-quit", state: #"{"app":"forceQuit"}"#, payload: payload(aps: #","content-available":1"#),
            actions: ""),
        Hits(name: "K10 opened", payload: payload(), act: .open("n1"), actions: "21"),
        Hits(name: "K9 dismissed", payload: payload(), act: .dismiss("n1"), actions: "2"),
        Hits(name: "K17 dismissed, of another category", payload: payload("MUTE"), act: .dismiss("n1"), actions: ""),
        Hits(
            name: "X15 an action counts as an opening", payload: payload(), act: .action("n1", id: "SAY", text: "x"),
            actions: "21"),
        Hits(
            name: "K1 on", payload: payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"on""#),
            act: .open("n1"), actions: "21"),
        Hits(
            name: "X18 the tap does not report a second impression",
            payload: payload(aps: #","content-available":1"#),
            act: .open("n1"), actions: "721"),
        Hits(
            name: "X21 the extension of a force-quit app reports nothing",
            spec: adobe + #","extension":{"script":"echo"}"#, state: #"{"app":"forceQuit"}"#,
            payload: #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"_mId":"h1","_dId":"2"}"#, actions: ""),
        Hits(
            name: "K3 off", payload: payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"off""#),
            act: .open("n1"), actions: ""),
        Hits(
            name: "K4 On", payload: payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"On""#),
            act: .open("n1"), actions: "21"),
        Hits(
            name: "K4 with a space",
            payload: payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"on ""#), act: .open("n1"),
            actions: ""),
        Hits(
            name: "X2 the words of the Japanese page",
            payload: payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":"オン""#), act: .open("n1"),
            actions: ""),
        Hits(
            name: "K5 false", payload: payload("DEFAULT", #","_mId":"h1","_dId":"2","_acsDeliveryTracking":false"#),
            act: .open("n1"), actions: "21"),
        Hits(
            name: "K5 numbers for ids", payload: payload("DEFAULT", #","_mId":1,"_dId":2"#), act: .open("n1"),
            actions: ""),
        Hits(name: "K6 one id", payload: payload("DEFAULT", #","_mId":"h1""#), act: .open("n1"), actions: ""),
        Hits(
            name: "no tracking", spec: #""tracking":{"profile":"none","ecid":"E"}"#, payload: payload(),
            act: .open("n1"), actions: ""),
        Hits(
            name: "opted out", spec: #""tracking":{"profile":"adobe","ecid":"E","privacy":"optedout"}"#,
            payload: payload(), act: .open("n1"), actions: ""),
        Hits(
            name: "privacy unknown", spec: #""tracking":{"profile":"adobe","ecid":"E","privacy":"unknown"}"#,
            payload: payload(), act: .open("n1"), actions: ""),
    ]

    @Test(arguments: hits) func `on iOS, Adobe's code reports these actions`(row: Hits) throws {
        var phone = try PhoneSample(.ios, Self.categories + "," + row.spec)
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

    @Test func `K18 in the foreground the badge does not change, and an app without permission keeps its token`()
        throws
    {
        var phone = try PhoneSample(.ios)
        try phone.set(#"{"app":"foreground"}"#)
        #expect(
            try !phone.push(#"{"aps":{"alert":"B","badge":5,"sound":"default"}}"#).contains { $0.hasPrefix("badge") })
        #expect(phone.registry[0].phone.badge == 0)
        try phone.set(#"{"permission":"denied"}"#)
        #expect(phone.registry[0].apnsToken != nil)
    }

    @Test func `K7 a report has the ids as they were sent`() throws {
        var phone = try PhoneSample(.ios, Self.adobe)
        try phone.set(#"{"app":"foreground"}"#)
        #expect(try phone.push(Self.payload()).contains("hit h138a,56c4,7 E"))
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

    @Test(arguments: [
        (#""extension":{"script":"fast"}"#, "/extension/script"), (#""extension":[]"#, "/extension"),
        (#""extension":{"script":"slow","seconds":-1}"#, "/extension/seconds"),
        (#""tracking":{"profile":"google"}"#, "/tracking/profile"), (#""tracking":{"privacy":1}"#, "/tracking/privacy"),
        (#""categories":{}"#, "/categories"), (#""categories":[1]"#, "/categories/0"),
        (#""categories":[{}]"#, "/categories/0/id"),
        (#""categories":[{"id":"a","actions":[{"title":"x"}]}]"#, "/categories/0/actions/0/id"),
        (#""channels":[{"id":"a","importance":"huge"}]"#, "/channels/0/importance"),
    ]) func `an invalid spec is refused with a pointer to the fault`(spec: String, pointer: String) {
        #expect {
            _ = try PhoneSample(.ios, spec)
        } throws: { ($0 as? DeviceProblem)?.pointer == pointer }
    }
}
