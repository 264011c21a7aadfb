import Devices
import PushCore
import Testing

/// The acts of a person, and the callbacks for them (docs/evidence/device.md §2.3(13)).
@Suite struct PersonTests {
    static let categories =
        #""categories":[{"id":"DEFAULT","customDismissAction":true,"actions":[{"id":"YES","title":"Yes","foreground":true},{"id":"SAY","title":"Say","text":true}]},{"id":"MUTE","actions":[]}]"#

    static func payload(
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

    @Test(
        arguments: [
            (.ios, #"{"aps":{"alert":"B"}}"#, "it has no category with actions"),
            (
                .android, #"{"notification":{"title":"T"},"data":{}}"#,
                "notifications that Firebase's code shows have none"
            ),
            (.web, #"{"notification":{"title":"T"}}"#, "the message has no 'webpush.notification.actions'"),
        ] as [(Device.Platform, String, String)])
    func `an action of a notification without actions is refused with the reason`(
        platform: Device.Platform, payload: String, reason: String
    ) throws {
        var phone = try PhoneSample(platform)
        _ = try phone.push(payload)
        let problem = phone.registry.obstacle(to: .action("n1", id: "SAY", text: nil), at: 0)
        #expect(problem?.message.hasSuffix("'SAY': \(reason).") == true)
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
