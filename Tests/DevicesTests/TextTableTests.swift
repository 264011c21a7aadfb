import Devices
import PushCore
import Testing

/// Texts that are given by key (docs/evidence/device.md §2.3(11) and §3.3), and background pushes above a budget
/// (§2.3(4)).
@Suite struct TextTableTests {
    private static let texts = #"""
        "texts":{"en":{"HI":"Hello %@","MEAL":"%2$@ for %1$@","RATE":"100 %% of %@"},"de":{"HI":"Hallo %@"},"de-CH":{"HI":"Grüezi %@"}}
        """#

    struct Row: CustomTestStringConvertible {
        var platform = Device.Platform.ios
        var locale = "en-US"
        let payload: String
        let shown: String
        var testDescription: String { "\(platform.rawValue) \(locale) \(payload)" }
    }

    private static func apple(_ alert: String) -> String { #"{"aps":{"alert":{\#(alert)}}}"# }
    private static func google(_ notification: String) -> String { #"{"notification":{\#(notification)}}"# }

    static let rows = [
        Row(payload: apple(#""loc-key":"HI","loc-args":["Ada"]"#), shown: "'Hello Ada'"),
        Row(locale: "de-DE", payload: apple(#""loc-key":"HI","loc-args":["Ada"]"#), shown: "'Hallo Ada'"),
        Row(locale: "de-CH", payload: apple(#""loc-key":"HI","loc-args":["Ada"]"#), shown: "'Grüezi Ada'"),
        Row(locale: "fr", payload: apple(#""loc-key":"HI","loc-args":["Ada"]"#), shown: "'Hello Ada'"),
        Row(
            payload: apple(#""title-loc-key":"MEAL","title-loc-args":["Ada","Soup"],"body":"B""#),
            shown: "'Soup for Ada|B'"),
        Row(payload: apple(#""subtitle-loc-key":"RATE","subtitle-loc-args":[7]"#), shown: "'100 % of 7'"),
        // For an unknown key or too few arguments, the key itself is shown.
        Row(payload: apple(#""loc-key":"NONE""#), shown: "'NONE'"),
        Row(payload: apple(#""loc-key":"HI""#), shown: "'HI'"),
        Row(payload: apple(#""body":"B","loc-key":"HI","loc-args":["Ada"]"#), shown: "'B'"),
        Row(
            platform: .android, payload: google(#""titleLocKey":"HI","titleLocArgs":["Ada"],"body":"B""#),
            shown: "'Hello Ada|B'"),
        Row(platform: .android, payload: google(#""title":"T","titleLocKey":"HI","bodyLocKey":"NONE""#), shown: "'T'"),
    ]

    @Test(arguments: rows) func `a text that is given by key is shown in the phone's language`(row: Row) throws {
        var phone = try PhoneSample(row.platform, Self.texts)
        try phone.set(#"{"locale":"\#(row.locale)"}"#)
        let output = try phone.push(row.payload)
        #expect(output.count == 1 && output[0].contains(row.shown), "\(output)")
    }

    @Test func `an extension gets the text in the phone's language`() throws {
        var phone = try PhoneSample(.ios, Self.texts + #","extension":{"script":"firebase"}"#)
        let output = try phone.push(
            #"{"aps":{"mutable-content":1,"alert":{"title-loc-key":"HI","title-loc-args":["Ada"]}}}"#)
        #expect(output.last?.contains("'Hello Ada [modified]'") == true, "\(output)")
    }

    private static let silent = #"{"aps":{"content-available":1}}"#
    private static let woken = "callback ios.woken name=didReceiveRemoteNotification state=background"

    @Test func `above the budget, the newest background push is held until the hour is over`() throws {
        var phone = try PhoneSample(.ios, #""backgroundBudget":2"#)
        #expect(try phone.push(Self.silent) == [Self.woken])
        #expect(phone.wait(60_000) == [])
        #expect(try phone.push(Self.silent) == [Self.woken])
        #expect(try phone.push(Self.silent) == ["stored ios.background-held budget=2", "wake 3540000"])
        #expect(try phone.push(Self.silent).first == "dropped ios.background-replaced")
        #expect(phone.wait(3_539_999) == [])
        #expect(phone.wait(1) == [Self.woken])
        #expect(phone.wait(3_600_000) == [])
    }

    @Test func `a held push is delivered when the app is opened, and dropped when the app is ended`() throws {
        var phone = try PhoneSample(.ios, #""backgroundBudget":0"#)
        #expect(try phone.push(Self.silent) == ["stored ios.background-held budget=0"])
        let opened = phone.handle(.launch)
        #expect(opened.last == "callback ios.woken name=didReceiveRemoteNotification state=active", "\(opened)")
        try phone.set(#"{"app":"background"}"#)
        _ = try phone.push(Self.silent)
        #expect(phone.handle(.forceQuit).contains("dropped ios.background-dropped"))
        #expect(phone.handle(.launch).allSatisfy { !$0.hasPrefix("callback") })
    }

    @Test func `an alert that also wakes the app ignores the budget`() throws {
        var phone = try PhoneSample(.ios, #""backgroundBudget":0"#)
        let output = try phone.push(#"{"aps":{"alert":"B","content-available":1}}"#)
        #expect(output == [Self.woken, "presented ios.shown n1 'B' on banner+list"])
    }
}
