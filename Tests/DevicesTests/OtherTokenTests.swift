import Devices
import JSON
import PushCore
import Testing

/// What a phone does with pushes to its other kinds of tokens (docs/evidence/device.md §2.6).
@Suite struct OtherTokenTests {
    private static let payload = #"{"aps":{"alert":"never shown","badge":3},"call":"7"}"#
    private static let ringing = ["callback ios.call name=reportNewIncomingCall", "presented ios.call call=incoming"]

    private static func received(_ type: String, _ why: String, state: String) -> String {
        "callback \(why) name=didReceiveIncomingPush type=\(type) state=\(state)"
    }

    @Test(arguments: ["background", "suspended", "terminated", "forceQuit"])
    func `a VoIP push runs the app in every state`(app: String) throws {
        var phone = try PhoneSample(.ios, #""state":{"app":"\#(app)","permission":"denied","backgroundRefresh":false}"#)
        let launch = app == "background" ? [] : ["state ios.voip app=background"]
        let called = [Self.received("voip", "ios.voip", state: "background")]
        #expect(try phone.push(Self.payload, kind: .voip) == launch + called + Self.ringing)
        #expect(phone.registry[0].phone.shade.count == 0 && phone.registry[0].phone.badge == 0)
    }

    @Test func `in the foreground, the app is active unless the phone is locked`() throws {
        var phone = try PhoneSample(.ios, #""state":{"app":"foreground"}"#)
        #expect(try phone.push("{}", kind: .voip).first == Self.received("voip", "ios.voip", state: "active"))
        try phone.set(#"{"locked":true}"#)
        #expect(try phone.push("{}", kind: .voip).first == Self.received("voip", "ios.voip", state: "background"))
    }

    @Test func `an app that reports no call is ended, and after three times it is no longer woken`() throws {
        var phone = try PhoneSample(.ios, #""reportsCalls":false"#)
        for number in 0..<3 {
            let launch = number == 0 ? [] : ["state ios.voip app=background"]
            #expect(
                try phone.push(Self.payload, kind: .voip) == launch + [
                    Self.received("voip", "ios.voip", state: "background"),
                    "state ios.call-not-reported app=terminated",
                ])
        }
        #expect(try phone.push(Self.payload, kind: .voip) == ["suppressed ios.voip-blocked"])
        // An app in the foreground does not have to be woken.
        try phone.set(#"{"app":"foreground"}"#)
        #expect(try phone.push(Self.payload, kind: .voip).count == 2)
        #expect(try phone.push(Self.payload, kind: .voip) == ["suppressed ios.voip-blocked"])
        // Other pushes still arrive.
        #expect(try phone.push(#"{"aps":{"content-available":1}}"#).count == 2)
        // An app that is installed again begins anew, also after the device was saved.
        var other = DeviceRegistry(capacity: 1)
        let isRestored = other.restore(phone.registry.encoded(0)) { _, _ in nil }
        #expect(isRestored)
        phone.registry = other
        try phone.set(#"{"app":"background"}"#)
        #expect(try phone.push(Self.payload, kind: .voip) == ["suppressed ios.voip-blocked"])
        phone.registry.uninstall(0)
        var random = Random(seed: 3)
        _ = phone.registry.install(0, at: phone.now, using: &random)
        #expect(try phone.push(Self.payload, kind: .voip).count == 2)
    }

    /// The kind, the rule, and the app's method.
    static let kinds: [(kind: TokenKind, why: String, method: String)] = [
        (.ptt, "ios.push-to-talk", "incomingPushResult"),
        (.complication, "ios.complication", "didReceiveIncomingPush type=complication"),
        (.fileprovider, "ios.file-provider", "didReceiveIncomingPush type=fileprovider"),
    ]

    @Test(arguments: kinds.indices) func `the system launches the app in the background`(index: Int) throws {
        let row = Self.kinds[index]
        var phone = try PhoneSample(.ios, #""state":{"app":"terminated"}"#)
        #expect(
            try phone.push(Self.payload, kind: row.kind) == [
                "state \(row.why) app=background", "callback \(row.why) name=\(row.method) state=background",
            ])
        try phone.set(#"{"app":"foreground"}"#)
        #expect(
            try phone.push(Self.payload, kind: row.kind) == ["callback \(row.why) name=\(row.method) state=active"])
    }

    @Test func `a person who force-quits the app leaves the Push to Talk channel`() throws {
        var phone = try PhoneSample(.ios, #""state":{"app":"forceQuit"}"#)
        #expect(try phone.push(Self.payload, kind: .ptt) == ["suppressed ios.push-to-talk-left"])
        _ = phone.handle(.launch)
        #expect(try phone.push(Self.payload, kind: .ptt).count == 1)
    }

    @Test(arguments: DeviceState.AppState.allCases)
    func `extensions for locations and widgets run without the app`(app: DeviceState.AppState) throws {
        var phone = try PhoneSample(.ios, #""state":{"app":"\#(app.rawValue)"}"#)
        #expect(
            try phone.push(Self.payload, kind: .location) == [
                "callback ios.location-push name=didReceiveLocationPushPayload"
            ])
        #expect(try phone.push(Self.payload, kind: .widgets) == ["callback ios.widgets name=getTimeline"])
        #expect(phone.registry[0].state.app == app)
    }

    @Test func `an iPhone has a token of each kind, and others have none`() throws {
        let tokens = try PhoneSample(.ios).registry[0].otherTokens
        #expect(tokens.count == TokenKind.allCases.count && Set(tokens.values).count == tokens.count)
        #expect(try PhoneSample(.android).registry[0].otherTokens.isEmpty)
    }
}
