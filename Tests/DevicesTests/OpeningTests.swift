import Devices
import PushCore
import Testing

/// How a notification opens an Android app or a page (docs/evidence/device.md §3.3, docs/evidence/fcm.md §5.4).
@Suite struct OpeningTests {
    static let message =
        #"{"from":"900000000000","notification":{"title":"T","clickAction":"SHOP"},"data":{"order":"7","_mId":"h1","_dId":"a"}}"#
    static let opened = "callback person.opened "
    static let notOpened = "callback web.no-link name=notificationclick"

    @Test func `a tap starts the activity that the message names, with its data as extras`() throws {
        var phone = try PhoneSample(.android)
        _ = try phone.push(Self.message)
        #expect(
            phone.handle(.act(.open("n1"))).last == Self.opened
                + #"{"name":"onCreate","action":"SHOP","extras":{"_dId":"a","_mId":"h1","order":"7","from":"900000000000"}}"#
        )
    }

    @Test func `without a click action a tap starts the launcher's activity`() throws {
        var phone = try PhoneSample(.android)
        _ = try phone.push(#"{"notification":{"title":"T"},"data":{}}"#)
        #expect(phone.handle(.act(.open("n1"))).last == Self.opened + #"{"name":"onCreate","extras":{}}"#)
    }

    @Test func `a sticky notification stays when it is tapped, and leaves when it is dismissed`() throws {
        var phone = try PhoneSample(.android)
        _ = try phone.push(#"{"notification":{"title":"T","sticky":true},"data":{}}"#)
        for _ in 0..<2 { #expect(phone.handle(.act(.open("n1"))).count == 3) }
        #expect(phone.handle(.act(.dismiss("n1"))) == ["dismissed person.dismissed notification=n1"])
        #expect(phone.registry[0].phone.shade.count == 0)
    }

    @Test func `an own notification has the app's intent, without Firebase's extras`() throws {
        var phone = try PhoneSample(.android, TrackingReportTests.adobe)
        try phone.set(#"{"app":"foreground"}"#)
        let message =
            #"{"from":"9","notification":{"title":"Google","clickAction":"SHOP"},"data":{"title":"T","body":"B"}}"#
        let shown = "presented android.own-notification n1 'T|B' on statusBar+list+sound"
        #expect(try phone.push(message).contains(shown))
        let start = Self.opened + #"{"name":"onCreate","extras":{"body":"B","title":"T"}}"#
        #expect(phone.handle(.act(.open("n1"))).contains(start))
    }

    private func hits(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("hit") } }

    @Test func `Adobe's activity reads the extras of a message that Firebase's code showed`() throws {
        var phone = try PhoneSample(.android, TrackingReportTests.adobe)
        _ = try phone.push(Self.message)
        _ = try phone.push(#"{"notification":{"title":"T"},"data":{"_mId":"h2","_dId":"b"}}"#)
        // Firebase makes an intent for each notification, so the ids are not those of the newest (X12).
        #expect(hits(phone.handle(.act(.open("n1")))) == ["hit h1,a,2 E", "hit h1,a,1 E"])
        try phone.set(#"{"app":"background"}"#)
        #expect(hits(phone.handle(.launch)) == ["hit h1,a,2 E", "hit h1,a,1 E"])
        #expect(hits(phone.handle(.act(.dismiss("n2")))) == [])
    }

    @Test func `a notification of Firebase's code leaves the intents of Adobe's sample alone`() throws {
        var phone = try PhoneSample(.android, TrackingReportTests.adobe)
        _ = try phone.push(#"{"data":{"title":"T","_mId":"h1","_dId":"a"}}"#)
        _ = try phone.push(#"{"notification":{"title":"T"},"data":{"_mId":"h2","_dId":"b"}}"#)
        #expect(hits(phone.handle(.act(.open("n1")))) == ["hit h1,a,2 E", "hit h1,a,1 E"])
    }

    static let links: [(String, String?)] = [
        ("https://example.com/a", "https://example.com/a"), ("HTTPS://EXAMPLE.com:443/a", "HTTPS://EXAMPLE.com:443/a"),
        ("http://example.com", "http://example.com"), ("/a?b", "https://example.com/a?b"),
        ("a", "https://example.com/a"), ("?b", "https://example.com/firebase-messaging-sw.js?b"),
        ("//example.com/a", "https://example.com/a"), ("https://u@example.com/a", "https://u@example.com/a"),
        ("https://example.org/a", nil), ("https://example.com:8443/a", nil), ("//example.org/a", nil),
        ("https://example.com@example.org/a", nil), ("mailto:a@example.com", nil), ("https://", nil), ("", nil),
    ]

    @Test(arguments: links) func `a browser opens only pages of the same site`(link: String, url: String?) throws {
        var phone = try PhoneSample(.web, app: "https://example.com")
        _ = try phone.push(#"{"notification":{"title":"T"},"fcmOptions":{"link":"\#(link)"}}"#)
        let effects = phone.handle(.act(.open("n1")))
        let callback =
            url.map { Self.opened + "name=notificationclick link=\($0)" } ?? Self.notOpened
        #expect(effects.last == callback)
        #expect((phone.registry[0].state.app == .foreground) == (url != nil))
    }

    @Test(
        arguments: [
            ("example", "/a", "/a"), ("example", "https://example/a", nil),
            ("http://localhost:8080", "http://localhost:8080/a", "http://localhost:8080/a"),
            ("http://localhost:8080", "http://localhost/a", nil),
        ] as [(String, String, String?)])
    func `the site may have a port, or be unknown`(site: String, link: String, url: String?) throws {
        var phone = try PhoneSample(.web, app: site)
        _ = try phone.push(#"{"notification":{"title":"T","click_action":"\#(link)"}}"#)
        let line = phone.handle(.act(.open("n1"))).last ?? ""
        #expect(
            line == (url.map { Self.opened + "name=notificationclick link=\($0)" } ?? Self.notOpened))
    }

    @Test func `an action of a web notification goes to the site's own code, and nothing is opened or closed`() throws {
        var phone = try PhoneSample(.web, app: "https://example.com")
        let actions = ["like", "mute", "third"].map { #"{"action":"\#($0)","title":"\#($0.uppercased())"}"# }
            .joined(separator: ",")
        _ = try phone.push(
            #"{"notification":{"title":"T","actions":[\#(actions),{"title":"x"},1]},"fcmOptions":{"link":"/a"}}"#)
        #expect(
            phone.handle(.act(.action("n1", id: "mute", text: nil))) == [
                "action person.acted notification=n1 actionId=mute",
                "callback person.acted name=notificationclick action=mute",
            ])
        #expect(phone.registry[0].phone.shade.count == 1)
        #expect(phone.registry[0].state.app == .background)
        let problem = phone.registry.obstacle(to: .action("n1", id: "third", text: nil), at: 0)
        #expect(problem?.message.hasSuffix("its actions are like, mute.") == true)
        #expect(phone.registry.obstacle(to: .action("n1", id: "like", text: "hi"), at: 0)?.pointer == "/text")
    }
}
