// Over 200 lines: two tables of pushes and their effects.
import Devices
import PushCore
import Testing

/// The behaviour of each platform for each kind of push (docs/evidence/device.md §2.3 and §3.3, docs/evidence/fcm.md
/// §5.4), one row for each case.
@Suite struct PhoneTests {
    struct Row: CustomTestStringConvertible {
        var platform = Device.Platform.ios
        var spec = ""
        var state = "{}"
        let payload: String
        let effects: [String]

        var testDescription: String { "\(platform.rawValue) \(spec) \(state) \(payload)" }
    }

    private static let alert = #"{"aps":{"alert":{"title":"T","body":"B"}}}"#
    private static let both = #"{"aps":{"alert":"B","content-available":1}}"#
    private static let silent = #"{"aps":{"content-available":1}}"#
    private static func level(_ level: String) -> String {
        #"{"aps":{"alert":"B","sound":"default","interruption-level":"\#(level)"}}"#
    }

    static let apple = [
        Row(payload: alert, effects: ["presented ios.shown n1 'T|B' on banner+list"]),
        Row(
            payload: #"{"aps":{"alert":"B","sound":"x"}}"#, effects: ["presented ios.shown n1 'B' on banner+list+sound"]
        ),
        Row(
            payload: #"{"aps":{"alert":{"title-loc-key":"T","subtitle":"S","loc-key":"B"}}}"#,
            effects: ["presented ios.shown n1 'T|S|B' on banner+list"]),
        Row(payload: #"{"aps":{"alert":""}}"#, effects: ["suppressed ios.nothing-to-show"]),
        Row(payload: #"{"aps":{}}"#, effects: ["suppressed ios.nothing-to-show"]),
        Row(payload: "[]", effects: ["suppressed ios.nothing-to-show"]),
        Row(payload: #"{"aps":{"badge":3}}"#, effects: ["badge ios.badge badge=3"]),
        Row(payload: #"{"aps":{"badge":-3}}"#, effects: ["badge ios.badge badge=0"]),
        Row(payload: #"{"aps":{"badge":"3"}}"#, effects: ["suppressed ios.nothing-to-show"]),
        Row(payload: #"{"aps":{"sound":"x"}}"#, effects: ["presented ios.shown sound=x"]),
        Row(state: #"{"locked":true}"#, payload: alert, effects: ["presented ios.locked n1 'T|B' on lockScreen+list"]),
        Row(state: #"{"app":"suspended"}"#, payload: alert, effects: ["presented ios.shown n1 'T|B' on banner+list"]),
        Row(state: #"{"app":"forceQuit"}"#, payload: alert, effects: ["presented ios.shown n1 'T|B' on banner+list"]),
        Row(
            state: #"{"app":"foreground"}"#, payload: #"{"aps":{"alert":"B","sound":"x","badge":3}}"#,
            effects: [
                "callback ios.foreground name=willPresent", "presented ios.foreground n1 'B' on banner+list+sound",
            ]),
        Row(
            state: #"{"app":"foreground","locked":true}"#, payload: alert,
            effects: ["presented ios.locked n1 'T|B' on lockScreen+list"]),
        Row(
            payload: both,
            effects: [
                "callback ios.woken name=didReceiveRemoteNotification state=background",
                "presented ios.shown n1 'B' on banner+list",
            ]),
        Row(
            state: #"{"app":"foreground"}"#, payload: both,
            effects: [
                "callback ios.woken name=didReceiveRemoteNotification state=active",
                "callback ios.foreground name=willPresent",
                "presented ios.foreground n1 'B' on banner+list",
            ]),
        Row(
            state: #"{"app":"foreground"}"#, payload: silent,
            effects: ["callback ios.woken name=didReceiveRemoteNotification state=active"]),
        Row(payload: silent, effects: ["callback ios.woken name=didReceiveRemoteNotification state=background"]),
        Row(
            state: #"{"app":"suspended"}"#, payload: silent,
            effects: [
                "state ios.woken app=background",
                "callback ios.woken name=didReceiveRemoteNotification state=background",
            ]),
        Row(
            state: #"{"app":"terminated"}"#, payload: silent,
            effects: [
                "state ios.woken app=background",
                "callback ios.woken name=didReceiveRemoteNotification state=background",
            ]),
        Row(state: #"{"app":"forceQuit"}"#, payload: silent, effects: ["suppressed ios.force-quit"]),
        Row(
            state: #"{"app":"forceQuit"}"#, payload: both,
            effects: ["suppressed ios.force-quit", "presented ios.shown n1 'B' on banner+list"]),
        Row(
            state: #"{"backgroundRefresh":false}"#, payload: silent, effects: ["suppressed ios.background-refresh-off"]),
        Row(payload: #"{"aps":{"content-available":true}}"#, effects: ["suppressed ios.nothing-to-show"]),
        Row(state: #"{"permission":"denied"}"#, payload: alert, effects: ["suppressed ios.not-allowed"]),
        Row(state: #"{"permission":"notDetermined"}"#, payload: alert, effects: ["suppressed ios.not-allowed"]),
        Row(
            state: #"{"permission":"denied"}"#, payload: both,
            effects: [
                "callback ios.woken name=didReceiveRemoteNotification state=background", "suppressed ios.not-allowed",
            ]),
        Row(
            state: #"{"permission":"provisional"}"#, payload: #"{"aps":{"alert":"B","sound":"x","badge":3}}"#,
            effects: ["presented ios.provisional n1 'B' on list"]),
        Row(payload: level("passive"), effects: ["presented ios.passive n1 'B' on list"]),
        Row(state: #"{"focus":true}"#, payload: level("active"), effects: ["presented ios.focus n1 'B' on list"]),
        Row(
            state: #"{"focus":true}"#, payload: level("time-sensitive"),
            effects: ["presented ios.shown n1 'B' on banner+list+sound"]),
        Row(
            state: #"{"focus":true}"#, payload: level("critical"),
            effects: ["presented ios.shown n1 'B' on banner+list+sound"]),
        Row(payload: level("unknown"), effects: ["presented ios.shown n1 'B' on banner+list+sound"]),
    ]

    private static func android(_ notification: String, data: String = "{}") -> String {
        #"{"notification":\#(notification),"data":\#(data)}"#
    }
    private static let notice = android(#"{"title":"T","body":"B"}"#)
    private static let data = #"{"data":{"a":"1"}}"#
    private static let channels =
        #""channels":[{"id":"news","importance":"high"},{"id":"off","importance":"none"},{"id":"low","importance":"low"}]"#

    static let google = [
        Row(platform: .android, payload: data, effects: ["callback android.data name=onMessageReceived"]),
        Row(
            platform: .android, state: #"{"app":"foreground"}"#, payload: data,
            effects: ["callback android.data name=onMessageReceived"]),
        Row(
            platform: .android, state: #"{"permission":"denied"}"#, payload: data,
            effects: ["callback android.data name=onMessageReceived"]),
        Row(
            platform: .android, state: #"{"app":"terminated"}"#, payload: data,
            effects: ["state android.data app=background", "callback android.data name=onMessageReceived"]),
        Row(
            platform: .android, state: #"{"app":"foreground"}"#, payload: notice,
            effects: ["callback android.foreground name=onMessageReceived"]),
        Row(platform: .android, payload: notice, effects: ["presented android.shown n1 'T|B' on statusBar+list+sound"]),
        Row(
            platform: .android, state: #"{"app":"foreground","locked":true}"#, payload: notice,
            effects: ["presented android.shown n1 'T|B' on lockScreen+list+sound"]),
        Row(
            platform: .android, state: #"{"focus":true}"#, payload: notice,
            effects: ["presented android.shown n1 'T|B' on statusBar+list"]),
        Row(
            platform: .android, state: #"{"permission":"denied"}"#, payload: notice,
            effects: ["suppressed android.not-allowed"]),
        Row(
            platform: .android, state: #"{"permission":"notDetermined"}"#, payload: notice,
            effects: ["suppressed android.not-allowed"]),
        Row(
            platform: .android, spec: channels, payload: android(#"{"title":"T","channelId":"news"}"#),
            effects: ["presented android.shown n1 'T' on banner+list+sound"]),
        Row(
            platform: .android, spec: channels, payload: android(#"{"title":"T","channelId":"low"}"#),
            effects: ["presented android.shown n1 'T' on statusBar+list"]),
        Row(
            platform: .android, spec: channels, payload: android(#"{"title":"T","channelId":"off"}"#),
            effects: ["suppressed android.channel-off"]),
        Row(
            platform: .android, spec: channels, payload: android(#"{"title":"T","channelId":"gone"}"#),
            effects: ["presented android.shown n1 'T' on statusBar+list+sound"]),
        Row(
            platform: .android, payload: android(#"{"title":"T","image":"https://e.com/a"}"#),
            effects: [
                "fetch https://e.com/a", "attachment fetch.skipped url=https://e.com/a outcome=skipped",
                "presented android.shown n1 'T' on statusBar+list+sound",
            ]),
        Row(
            platform: .web, payload: notice,
            effects: ["presented web.shown n1 'T|B' on banner+list", "callback web.shown name=onBackgroundMessage"]),
        Row(
            platform: .web, state: #"{"app":"foreground"}"#, payload: notice,
            effects: ["callback web.visible name=onMessage"]),
        Row(platform: .web, payload: data, effects: ["callback web.nothing-to-show name=onBackgroundMessage"]),
        Row(
            platform: .web, state: #"{"permission":"denied"}"#, payload: notice,
            effects: ["suppressed web.not-allowed", "callback web.shown name=onBackgroundMessage"]),
    ]

    @Test(arguments: apple + google) func `each kind of push has these effects`(row: Row) throws {
        var phone = try PhoneSample(row.platform, row.spec)
        try phone.set(row.state)
        #expect(try phone.push(row.payload) == row.effects)
    }

    @Test func `the badge stays until a push changes it, and 0 removes it`() throws {
        var phone = try PhoneSample(.ios)
        _ = try phone.push(#"{"aps":{"badge":3}}"#)
        _ = try phone.push(Self.alert)
        #expect(phone.registry[0].phone.badge == 3)
        _ = try phone.push(#"{"aps":{"badge":0}}"#)
        #expect(phone.registry[0].phone.badge == 0)
    }

    @Test func `a notification replaces one with the same collapse id or tag`() throws {
        var phone = try PhoneSample(.ios)
        _ = try phone.push(Self.alert, collapseID: "score")
        _ = try phone.push(Self.alert)
        #expect(
            try phone.push(Self.alert, collapseID: "score") == [
                "replaced ios.collapsed key=score by=p3", "presented ios.shown score 'T|B' on banner+list",
            ])
        #expect(phone.registry[0].phone.shade.entries.map(\.key) == ["n2", "score"])
        var android = try PhoneSample(.android)
        _ = try android.push(Self.android(#"{"title":"1","tag":"t"}"#))
        #expect(try android.push(Self.android(#"{"title":"2","tag":"t"}"#)).first == "replaced android.tag key=t by=p2")
        #expect(android.registry[0].phone.shade.entries.map(\.text.title) == ["2"])
    }

    @Test func `a generated key never equals a key that a sender chose`() throws {
        var phone = try PhoneSample(.ios)
        _ = try phone.push(Self.alert, collapseID: "n1")
        _ = try phone.push(Self.alert)
        #expect(phone.registry[0].phone.shade.entries.map(\.key) == ["n1", "n2"])
        #expect(try phone.push(Self.alert, collapseID: "n2").first == "replaced ios.collapsed key=n2 by=p3")
        #expect(phone.registry[0].phone.shade.entries.map(\.key) == ["n1", "n2"])
    }

    @Test func `a shade keeps its newest thousand notifications`() throws {
        var phone = try PhoneSample(.ios)
        for number in 0..<3500 { _ = try phone.push(Self.alert, collapseID: number % 2 == 0 ? "c\(number)" : "") }
        let shade = phone.registry[0].phone.shade
        #expect(shade.count == 1000)
        #expect(shade.entries.first?.push == PushID(2501))
        #expect(shade.entries.last?.push == PushID(3500))
        // A removed notification is not replaced.
        #expect(try phone.push(Self.alert, collapseID: "c0").count == 1)
    }

    @Test func `Android ignores messages with one of the last ten ids`() throws {
        var phone = try PhoneSample(.android)
        for number in 1...10 { _ = try phone.push(Self.data, PushID(UInt64(number))) }
        #expect(try phone.push(Self.data, PushID(1)) == ["suppressed android.duplicate"])
        _ = try phone.push(Self.data, PushID(11))
        #expect(try phone.push(Self.data, PushID(1)) == ["callback android.data name=onMessageReceived"])
    }
}
