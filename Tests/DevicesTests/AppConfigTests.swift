import Devices
import PushCore
import Testing

/// What the app of a device brings, and what follows from it (docs/devices.md).
@Suite struct AppConfigTests {
    struct Row: CustomTestStringConvertible {
        var platform = Device.Platform.ios
        let config: String
        var state = "{}"
        let payload: String
        let effects: [String]
        var testDescription: String { "\(platform.rawValue) \(config) \(state)" }
    }

    private static let front = #"{"app":"foreground"}"#
    private static let full = #"{"aps":{"alert":"B","sound":"ping.aiff","badge":3}}"#
    private static let asked = "callback ios.foreground name=willPresent"
    private static func urgent(_ level: String) -> String {
        #"{"aps":{"alert":"B","interruption-level":"\#(level)"}}"#
    }

    static let apple = [
        Row(
            config: "{}", state: front, payload: full,
            effects: [asked, "presented ios.foreground n1 'B' on banner+list+sound ping.aiff"]),
        Row(
            config: #"{"willPresent":["banner","badge"]}"#, state: front, payload: full,
            effects: [asked, "presented ios.foreground n1 'B' on banner", "badge ios.badge badge=3"]),
        Row(
            config: #"{"willPresent":["list"]}"#, state: front, payload: full,
            effects: [asked, "presented ios.foreground n1 'B' on list"]),
        Row(
            config: #"{"willPresent":["sound"]}"#, state: front, payload: full,
            effects: [asked, "presented ios.foreground sound=ping.aiff"]),
        Row(
            config: #"{"willPresent":[]}"#, state: front, payload: full,
            effects: [asked, "suppressed ios.foreground-silent"]),
        Row(
            config: #"{"willPresent":["badge"]}"#, state: front, payload: full,
            effects: [asked, "suppressed ios.foreground-silent", "badge ios.badge badge=3"]),
        Row(config: #"{"willPresent":[]}"#, payload: #"{"aps":{"alert":"B"}}"#, effects: [shown("")]),
        Row(
            config: #"{"sounds":["other.aiff"]}"#, payload: #"{"aps":{"alert":"B","sound":"ping.aiff"}}"#,
            effects: [shown("+sound default")]),
        Row(
            config: #"{"sounds":["ping.aiff"]}"#, payload: #"{"aps":{"alert":"B","sound":"ping.aiff"}}"#,
            effects: [shown("+sound ping.aiff")]),
        Row(
            config: #"{"sounds":[]}"#, payload: #"{"aps":{"sound":"ping.aiff"}}"#,
            effects: ["presented ios.shown sound=default"]),
        Row(
            config: #"{"entitlements":[]}"#, state: #"{"focus":true}"#, payload: urgent("critical"),
            effects: ["presented ios.no-entitlement n1 'B' on list"]),
        Row(
            config: #"{"entitlements":["critical"]}"#, state: #"{"focus":true}"#, payload: urgent("time-sensitive"),
            effects: ["presented ios.no-entitlement n1 'B' on list"]),
        Row(
            config: #"{"entitlements":["critical"]}"#, state: #"{"focus":true}"#, payload: urgent("critical"),
            effects: [shown("")]),
        Row(
            config: #"{"entitlements":[]}"#, state: #"{"focus":true}"#, payload: urgent("active"),
            effects: ["presented ios.focus n1 'B' on list"]),
        Row(config: #"{"entitlements":[]}"#, payload: urgent("time-sensitive"), effects: [shown("")]),
    ]

    private static func shown(_ more: String) -> String { "presented ios.shown n1 'B' on banner+list" + more }

    @Test(arguments: apple) func `on iOS the app's configuration decides`(row: Row) throws {
        var phone = try PhoneSample(row.platform, #""appConfig":\#(row.config)"#)
        phone.showsLook = true
        try phone.set(row.state)
        #expect(try phone.push(row.payload) == row.effects)
    }

    private static let channels = #""channels":[{"id":"news","importance":"high"},{"id":"off","importance":"none"}]"#
    private static let manifest =
        ##""appConfig":{"defaultChannel":"news","icon":"ic_bell","color":"#ff8800","clickActions":["SHOP"]}"##

    /// The group, icon and colour in the shade, for a member of the message's notification.
    @Test(
        arguments: [
            ("", "news ic_bell #ff8800"), (#","channelId":"gone""#, "news ic_bell #ff8800"),
            (##","icon":"ic_sale","color":"#00ff00""##, "news ic_sale #00ff00"),
        ]) func `the manifest of an Android app completes a notification`(member: String, look: String) throws
    {
        var phone = try PhoneSample(.android, Self.channels + "," + Self.manifest)
        phone.showsLook = true
        let lines = try phone.push(#"{"notification":{"title":"T"\#(member)},"data":{}}"#)
        #expect(lines == ["presented android.shown n1 'T' on banner+list+sound \(look)"])
    }

    @Test func `a notification that the manifest completed is restored`() throws {
        var phone = try PhoneSample(.android, Self.channels + "," + Self.manifest)
        let payload = #"{"notification":{"title":"T"},"data":{}}"#
        _ = try phone.push(payload)
        _ = try phone.push(#"{"data":{"title":"T"}}"#)
        var after = DeviceRegistry(capacity: 1)
        let content = PushContent(try PhoneSample.document(payload), for: .android)
        let isRestored = after.restore(phone.registry.encoded(0)) { _, _ in content }
        #expect(isRestored)
        #expect(PhoneSample.shade(after[0]) == PhoneSample.shade(phone.registry[0]))
        #expect(PhoneSample.shade(after[0]).contains(##""icon":"ic_bell","color":"#ff8800""##))
        // The configuration is restored as well.
        #expect(after.encoded(0) == phone.registry.encoded(0))
    }

    @Test func `without a known channel, Firebase's code uses its own`() throws {
        for config in ["{}", #"{"defaultChannel":"gone"}"#] {
            var phone = try PhoneSample(.android, Self.channels + #","appConfig":\#(config)"#)
            phone.showsLook = true
            let lines = try phone.push(#"{"notification":{"title":"T","channelId":"gone"},"data":{}}"#)
            #expect(
                lines == ["presented android.shown n1 'T' on statusBar+list+sound fcm_fallback_notification_channel"])
        }
    }

    @Test func `a default channel that the person switched off shows nothing`() throws {
        var phone = try PhoneSample(.android, Self.channels + #","appConfig":{"defaultChannel":"off"}"#)
        let lines = try phone.push(#"{"notification":{"title":"T"},"data":{}}"#)
        #expect(lines == ["suppressed android.channel-off"])
    }

    @Test func `a click action that no activity accepts opens nothing`() throws {
        var phone = try PhoneSample(.android, Self.manifest)
        for action in ["SHOP", "FLUTTER_NOTIFICATION_CLICK"] {
            try phone.set(#"{"app":"background"}"#)
            _ = try phone.push(#"{"notification":{"title":"T","clickAction":"\#(action)"},"data":{}}"#)
            let key = try #require(phone.registry[0].phone.shade.entries.last?.key)
            let last = phone.handle(.act(.open(key))).last
            #expect((last == "suppressed android.no-activity") == (action != "SHOP"))
            #expect((phone.registry[0].state.app == .foreground) == (action == "SHOP"))
        }
    }

    @Test(arguments: [
        (#"{"willPresent":["alert"]}"#, "/appConfig/willPresent"),
        (#"{"willPresent":"list"}"#, "/appConfig/willPresent"),
        (#"{"entitlements":["time-sensitive"]}"#, "/appConfig/entitlements"), (#"{"sounds":[1]}"#, "/appConfig/sounds"),
        (##"{"icon":""}"##, "/appConfig/icon"), (##"{"defaultChannel":""}"##, "/appConfig/defaultChannel"),
        (#"{"sounds":[""]}"#, "/appConfig/sounds"), (#"{"allowsHTTP":1}"#, "/appConfig/allowsHTTP"),
        (#"{"color":"red"}"#, "/appConfig/color"), (##"{"color":"#ff880é"}"##, "/appConfig/color"),
        (#"{"delegate":1}"#, "/appConfig/delegate"), (#"[]"#, "/appConfig"),
    ]) func `an invalid configuration is refused with a pointer to the fault`(config: String, pointer: String) {
        #expect {
            _ = try PhoneSample(.ios, #""appConfig":\#(config)"#)
        } throws: { ($0 as? DeviceProblem)?.pointer == pointer }
    }
}
