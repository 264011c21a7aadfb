import Devices
import PushCore
import Testing

/// Why Adobe's code reported nothing (docs/evidence/device.md §1.2).
@Suite struct TrackingSilenceTests {
    struct Row: CustomTestStringConvertible {
        var platform = Device.Platform.ios
        var spec = ""
        var state = "{}"
        let payload: String
        var act: UserAction?
        /// The start of the reason; nil without a reason.
        let why: String?
        var testDescription: String { "\(platform.rawValue) \(state) \(payload)" }
    }

    private static let silent = #"{"aps":{"content-available":1},"_mId":"h1","_dId":"2"}"#
    private static let android = #"{"notification":{"title":"T"},"data":{"_mId":"h1","_dId":"2"}}"#

    static let rows = [
        Row(state: #"{"app":"forceQuit"}"#, payload: silent, why: "the app was force-quit"),
        Row(state: #"{"app":"forceQuit"}"#, payload: PersonTests.payload(), why: "the app was force-quit"),
        Row(
            state: #"{"app":"foreground"}"#, payload: silent, why: "the push is silent and the app is in the foreground"
        ),
        Row(state: #"{"backgroundRefresh":false}"#, payload: silent, why: "Background App Refresh is off"),
        Row(spec: #","backgroundBudget":0"#, payload: silent, why: "the push is held"),
        Row(payload: silent, why: nil), Row(payload: PersonTests.payload(), why: "the app was not in the foreground"),
        Row(state: #"{"app":"foreground"}"#, payload: PersonTests.payload(), why: nil),
        Row(
            state: #"{"app":"foreground","permission":"denied"}"#, payload: PersonTests.payload(),
            why: "the person does not allow"),
        Row(state: #"{"permission":"denied"}"#, payload: PersonTests.payload(), why: "the person does not allow"),
        Row(payload: #"{"aps":{},"_mId":"h1","_dId":"2"}"#, why: "the push shows nothing"),
        Row(payload: PersonTests.payload(), act: .open("n1"), why: nil),
        Row(payload: PersonTests.payload(), act: .dismiss("n1"), why: nil),
        Row(payload: PersonTests.payload("MUTE"), act: .dismiss("n1"), why: "the category of the push does not ask"),
        Row(payload: PersonTests.payload("DEFAULT", ""), act: .open("n1"), why: "a person tapped the notification"),
        Row(platform: .android, payload: android, why: "Firebase's code showed"),
        Row(platform: .android, payload: android, act: .open("n1"), why: nil),
        Row(platform: .android, payload: android, act: .dismiss("n1"), why: "the app is not told of the dismissal"),
        Row(
            platform: .android, payload: #"{"notification":{"title":"T"},"data":{}}"#, act: .open("n1"),
            why: "a person tapped the notification"),
        Row(platform: .android, payload: #"{"notification":{"title":"T"},"data":{}}"#, why: "the message has no data"),
        Row(
            platform: .android, payload: #"{"notification":{"title":"T"},"data":{"_mId":"h1","_dId":"zz"}}"#,
            act: .open("n1"), why: "_dId is not a hexadecimal number"),
        Row(
            platform: .android, spec: #","appConfig":{"clickActions":[]}"#,
            payload: #"{"notification":{"title":"T","clickAction":"A"},"data":{"_mId":"h1","_dId":"2"}}"#,
            act: .open("n1"), why: "no activity of the app accepts"),
        Row(platform: .android, payload: #"{"data":{"title":"T","_mId":"h1","_dId":"2"}}"#, why: nil),
        Row(
            spec: #","extension":{"script":"remote"}"#, state: #"{"app":"foreground"}"#,
            payload: #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"_mId":"h1","_dId":"2"}"#, why: nil),
        Row(
            spec: #","extension":{"script":"remote"}"#,
            payload: #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"_mId":"h1","_dId":"2"}"#,
            why: "the app was not in the foreground"),
    ]

    @Test(arguments: rows) func `the last thing that happened says why nothing was reported`(row: Row) throws {
        var phone = try PhoneSample(row.platform, PersonTests.categories + "," + TrackingReportTests.adobe + row.spec)
        try phone.set(row.state)
        var lines = try phone.push(row.payload)
        if let act = row.act { lines = phone.handle(.act(act)) }
        let reasons = lines.filter { $0.hasPrefix("unreported: ") }
        #expect(reasons.count == (row.why == nil ? 0 : 1))
        if let why = row.why { #expect(reasons.last?.hasPrefix("unreported: \(why)") == true) }
    }

    @Test func `an app without tracking has no reasons`() throws {
        var phone = try PhoneSample(.ios)
        try phone.set(#"{"app":"forceQuit"}"#)
        #expect(try !phone.push(Self.silent).contains { $0.hasPrefix("unreported") })
    }
}
