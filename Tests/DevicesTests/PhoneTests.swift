import Devices
import PushCore
import Testing

/// One row for each way through the procedures of facts/device.md §2.3 and §3.3, and of facts/fcm.md §5.4.
@Suite struct PhoneTests {
    struct Row: CustomTestStringConvertible {
        var platform = Device.Platform.ios
        var spec = ""
        var state = "{}"
        let payload: String
        let does: [String]

        var testDescription: String { "\(platform.rawValue) \(spec) \(state) \(payload)" }
    }

    private static let alert = #"{"aps":{"alert":{"title":"T","body":"B"}}}"#
    private static let both = #"{"aps":{"alert":"B","content-available":1}}"#
    private static let silent = #"{"aps":{"content-available":1}}"#
    private static func level(_ level: String) -> String {
        #"{"aps":{"alert":"B","sound":"default","interruption-level":"\#(level)"}}"#
    }

    static let apple = [
        Row(payload: alert, does: ["presented ios.shown n1 'T|B' on banner+list"]),
        Row(payload: #"{"aps":{"alert":"B","sound":"x"}}"#, does: ["presented ios.shown n1 'B' on banner+list+sound"]),
        Row(
            payload: #"{"aps":{"alert":{"title-loc-key":"T","subtitle":"S","loc-key":"B"}}}"#,
            does: ["presented ios.shown n1 'T|S|B' on banner+list"]),
        Row(payload: #"{"aps":{"alert":""}}"#, does: ["suppressed ios.nothing-to-show"]),
        Row(payload: #"{"aps":{}}"#, does: ["suppressed ios.nothing-to-show"]),
        Row(payload: "[]", does: ["suppressed ios.nothing-to-show"]),
        Row(payload: #"{"aps":{"badge":3}}"#, does: ["badge ios.badge badge=3"]),
        Row(payload: #"{"aps":{"badge":-3}}"#, does: ["badge ios.badge badge=0"]),
        Row(payload: #"{"aps":{"badge":"3"}}"#, does: ["suppressed ios.nothing-to-show"]),
        Row(payload: #"{"aps":{"sound":"x"}}"#, does: ["presented ios.shown sound=x"]),
        Row(state: #"{"locked":true}"#, payload: alert, does: ["presented ios.locked n1 'T|B' on lockScreen+list"]),
        Row(state: #"{"app":"suspended"}"#, payload: alert, does: ["presented ios.shown n1 'T|B' on banner+list"]),
        Row(state: #"{"app":"forceQuit"}"#, payload: alert, does: ["presented ios.shown n1 'T|B' on banner+list"]),
        Row(
            state: #"{"app":"foreground"}"#, payload: #"{"aps":{"alert":"B","sound":"x","badge":3}}"#,
            does: ["callback ios.foreground name=willPresent", "presented ios.foreground n1 'B' on banner+list+sound"]),
        Row(
            state: #"{"app":"foreground","locked":true}"#, payload: alert,
            does: ["presented ios.locked n1 'T|B' on lockScreen+list"]),
        Row(
            payload: both,
            does: [
                "callback ios.woken name=didReceiveRemoteNotification state=background",
                "presented ios.shown n1 'B' on banner+list",
            ]),
        Row(
            state: #"{"app":"foreground"}"#, payload: both,
            does: [
                "callback ios.woken name=didReceiveRemoteNotification state=active",
                "callback ios.foreground name=willPresent",
                "presented ios.foreground n1 'B' on banner+list",
            ]),
        Row(
            state: #"{"app":"foreground"}"#, payload: silent,
            does: ["callback ios.woken name=didReceiveRemoteNotification state=active"]),
        Row(payload: silent, does: ["callback ios.woken name=didReceiveRemoteNotification state=background"]),
        Row(
            state: #"{"app":"suspended"}"#, payload: silent,
            does: [
                "state ios.woken app=background",
                "callback ios.woken name=didReceiveRemoteNotification state=background",
            ]),
        Row(
            state: #"{"app":"terminated"}"#, payload: silent,
            does: [
                "state ios.woken app=background",
                "callback ios.woken name=didReceiveRemoteNotification state=background",
            ]),
        Row(state: #"{"app":"forceQuit"}"#, payload: silent, does: ["suppressed ios.force-quit"]),
        Row(
            state: #"{"app":"forceQuit"}"#, payload: both,
            does: ["suppressed ios.force-quit", "presented ios.shown n1 'B' on banner+list"]),
        Row(state: #"{"backgroundRefresh":false}"#, payload: silent, does: ["suppressed ios.background-refresh-off"]),
        Row(payload: #"{"aps":{"content-available":true}}"#, does: ["suppressed ios.nothing-to-show"]),
        Row(state: #"{"permission":"denied"}"#, payload: alert, does: ["suppressed ios.not-allowed"]),
        Row(state: #"{"permission":"notDetermined"}"#, payload: alert, does: ["suppressed ios.not-allowed"]),
        Row(
            state: #"{"permission":"denied"}"#, payload: both,
            does: [
                "callback ios.woken name=didReceiveRemoteNotification state=background", "suppressed ios.not-allowed",
            ]),
        Row(
            state: #"{"permission":"provisional"}"#, payload: #"{"aps":{"alert":"B","sound":"x","badge":3}}"#,
            does: ["presented ios.provisional n1 'B' on list"]),
        Row(payload: level("passive"), does: ["presented ios.passive n1 'B' on list"]),
        Row(state: #"{"focus":true}"#, payload: level("active"), does: ["presented ios.focus n1 'B' on list"]),
        Row(
            state: #"{"focus":true}"#, payload: level("time-sensitive"),
            does: ["presented ios.shown n1 'B' on banner+list+sound"]),
        Row(
            state: #"{"focus":true}"#, payload: level("critical"),
            does: ["presented ios.shown n1 'B' on banner+list+sound"]),
        Row(payload: level("unknown"), does: ["presented ios.shown n1 'B' on banner+list+sound"]),
    ]

    private static func android(_ notification: String, data: String = "{}") -> String {
        #"{"notification":\#(notification),"data":\#(data)}"#
    }
    private static let notice = android(#"{"title":"T","body":"B"}"#)
    private static let data = #"{"data":{"a":"1"}}"#
    private static let channels =
        #""channels":[{"id":"news","importance":"high"},{"id":"off","importance":"none"},{"id":"low","importance":"low"}]"#

    static let google = [
        Row(platform: .android, payload: data, does: ["callback android.data name=onMessageReceived"]),
        Row(
            platform: .android, state: #"{"app":"foreground"}"#, payload: data,
            does: ["callback android.data name=onMessageReceived"]),
        Row(
            platform: .android, state: #"{"permission":"denied"}"#, payload: data,
            does: ["callback android.data name=onMessageReceived"]),
        Row(
            platform: .android, state: #"{"app":"terminated"}"#, payload: data,
            does: ["state android.data app=background", "callback android.data name=onMessageReceived"]),
        Row(
            platform: .android, state: #"{"app":"foreground"}"#, payload: notice,
            does: ["callback android.foreground name=onMessageReceived"]),
        Row(platform: .android, payload: notice, does: ["presented android.shown n1 'T|B' on statusBar+list+sound"]),
        Row(
            platform: .android, state: #"{"app":"foreground","locked":true}"#, payload: notice,
            does: ["presented android.shown n1 'T|B' on lockScreen+list+sound"]),
        Row(
            platform: .android, state: #"{"focus":true}"#, payload: notice,
            does: ["presented android.shown n1 'T|B' on statusBar+list"]),
        Row(
            platform: .android, state: #"{"permission":"denied"}"#, payload: notice,
            does: ["suppressed android.not-allowed"]),
        Row(
            platform: .android, state: #"{"permission":"notDetermined"}"#, payload: notice,
            does: ["suppressed android.not-allowed"]),
        Row(
            platform: .android, spec: channels, payload: android(#"{"title":"T","channelId":"news"}"#),
            does: ["presented android.shown n1 'T' on banner+list+sound"]),
        Row(
            platform: .android, spec: channels, payload: android(#"{"title":"T","channelId":"low"}"#),
            does: ["presented android.shown n1 'T' on statusBar+list"]),
        Row(
            platform: .android, spec: channels, payload: android(#"{"title":"T","channelId":"off"}"#),
            does: ["suppressed android.channel-off"]),
        Row(
            platform: .android, spec: channels, payload: android(#"{"title":"T","channelId":"gone"}"#),
            does: ["presented android.shown n1 'T' on statusBar+list+sound"]),
        Row(
            platform: .android, payload: android(#"{"title":"T","image":"https://e.com/a"}"#),
            does: [
                "fetch https://e.com/a", "attachment fetch.skipped url=https://e.com/a outcome=skipped",
                "presented android.shown n1 'T' on statusBar+list+sound",
            ]),
        Row(
            platform: .web, payload: notice,
            does: ["presented web.shown n1 'T|B' on banner+list", "callback web.shown name=onBackgroundMessage"]),
        Row(
            platform: .web, state: #"{"app":"foreground"}"#, payload: notice,
            does: ["callback web.visible name=onMessage"]),
        Row(platform: .web, payload: data, does: ["callback web.nothing-to-show name=onBackgroundMessage"]),
        Row(
            platform: .web, state: #"{"permission":"denied"}"#, payload: notice,
            does: ["suppressed web.not-allowed", "callback web.shown name=onBackgroundMessage"]),
    ]

    @Test(arguments: apple + google) func `a push does what the procedure says`(row: Row) throws {
        var phone = try PhoneSample(row.platform, row.spec)
        try phone.set(row.state)
        #expect(try phone.push(row.payload) == row.does)
    }

    @Test func `the badge stays until another comes, and 0 takes it away`() throws {
        var phone = try PhoneSample(.ios)
        _ = try phone.push(#"{"aps":{"badge":3}}"#)
        _ = try phone.push(Self.alert)
        #expect(phone.registry[0].phone.badge == 3)
        _ = try phone.push(#"{"aps":{"badge":0}}"#)
        #expect(phone.registry[0].phone.badge == 0)
    }

    @Test func `a collapse id and a tag take the place of what has the same`() throws {
        var phone = try PhoneSample(.ios)
        _ = try phone.push(Self.alert, collapseID: "score")
        _ = try phone.push(Self.alert)
        #expect(
            try phone.push(Self.alert, collapseID: "score") == [
                "replaced ios.collapsed key=score by=p3", "presented ios.shown score 'T|B' on banner+list",
            ])
        #expect(phone.registry[0].phone.shade.entries.map(\.key) == ["n2", "score"])
        var robot = try PhoneSample(.android)
        _ = try robot.push(Self.android(#"{"title":"1","tag":"t"}"#))
        #expect(try robot.push(Self.android(#"{"title":"2","tag":"t"}"#)).first == "replaced android.tag key=t by=p2")
        #expect(robot.registry[0].phone.shade.entries.map(\.text.title) == ["2"])
    }

    @Test func `a key that a sender chose is not made again`() throws {
        var phone = try PhoneSample(.ios)
        _ = try phone.push(Self.alert, collapseID: "n1")
        _ = try phone.push(Self.alert)
        #expect(phone.registry[0].phone.shade.entries.map(\.key) == ["n1", "n2"])
        #expect(try phone.push(Self.alert, collapseID: "n2").first == "replaced ios.collapsed key=n2 by=p3")
        #expect(phone.registry[0].phone.shade.entries.map(\.key) == ["n1", "n2"])
    }

    @Test func `a shade keeps its newest thousand`() throws {
        var phone = try PhoneSample(.ios)
        for number in 0..<3500 { _ = try phone.push(Self.alert, collapseID: number % 2 == 0 ? "c\(number)" : "") }
        let shade = phone.registry[0].phone.shade
        #expect(shade.count == 1000)
        #expect(shade.entries.first?.push == PushID(2501))
        #expect(shade.entries.last?.push == PushID(3500))
        // What is gone takes nobody's place.
        #expect(try phone.push(Self.alert, collapseID: "c0").count == 1)
    }

    @Test func `Android passes over the last ten message ids`() throws {
        var phone = try PhoneSample(.android)
        for number in 1...10 { _ = try phone.push(Self.data, PushID(UInt64(number))) }
        #expect(try phone.push(Self.data, PushID(1)) == ["suppressed android.duplicate"])
        _ = try phone.push(Self.data, PushID(11))
        #expect(try phone.push(Self.data, PushID(1)) == ["callback android.data name=onMessageReceived"])
    }
}
