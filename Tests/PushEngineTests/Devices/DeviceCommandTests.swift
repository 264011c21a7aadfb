import Devices
import JSON
import PushCore
import Testing

@testable import PushEngine

/// What clients ask of devices, by the device socket or the control API: tokens and states.
@Suite struct DeviceCommandTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let command: @Sendable () throws -> DeviceCommand
        /// Whether the command is refused while the app is not on the device.
        let requiresApp: Bool

        init(_ name: String, requiresApp: Bool, _ command: @escaping @Sendable () throws -> DeviceCommand) {
            (testDescription, self.requiresApp, self.command) = (name, requiresApp, command)
        }
    }

    static let commands: [Row] = [
        Row("rotate the APNs token", requiresApp: true) { .rotateToken(.apns) },
        Row("rotate the FCM token", requiresApp: true) { .rotateToken(.fcm) },
        Row("delete the APNs token", requiresApp: true) { .deleteToken(.apns) },
        Row("delete the FCM token", requiresApp: true) { .deleteToken(.fcm) },
        Row("launch", requiresApp: true) { .launch }, Row("force quit", requiresApp: true) { .forceQuit },
        Row("uninstall", requiresApp: true) { .uninstall }, Row("clear all", requiresApp: false) { .clearAll },
        Row("acknowledge", requiresApp: false) { .acknowledge([PushID(1)]) },
        Row("acknowledge up to", requiresApp: false) { .acknowledgeUpTo(9) },
        Row("reject", requiresApp: false) { .reject(PushID(1), code: 301) },
        Row("set the state", requiresApp: false) {
            .patchState(EngineFixture.json(#"{"online":false}"#), pointer: "/set")
        },
    ]

    @Test(arguments: commands) func `acts of the app require that it is installed`(row: Row) throws {
        let fixture = EngineFixture()
        fixture.make("d")
        #expect(fixture.perform(try row.command(), on: "d") == nil)
        let gone = EngineFixture()
        gone.make("d")
        gone.uninstall("d")
        let tokens = (gone.apnsToken("d"), gone.fcmToken("d"))
        _ = gone.take()
        let problem = gone.perform(try row.command(), on: "d")
        if row.requiresApp {
            #expect(problem?.pointer == "/type")
            #expect(problem?.message.contains("'install'") == true)
            #expect(gone.take().isEmpty)
            #expect((gone.apnsToken("d"), gone.fcmToken("d")) == tokens)
        } else {
            #expect(problem == nil)
        }
    }

    @Test(arguments: [(Provider.apns, Device.Platform.ios), (.fcm, .ios), (.fcm, .android), (.fcm, .web)])
    func `a rotated token takes the old one's slot, and its event says so`(
        provider: Provider, platform: Device.Platform
    ) {
        let fixture = EngineFixture()
        fixture.make("d", platform)
        let old = provider == .apns ? fixture.apnsToken("d") : fixture.fcmToken("d")
        let fid = fixture.device("d").fid
        _ = fixture.take()
        #expect(fixture.perform(.rotateToken(provider), on: "d") == nil)
        let new = provider == .apns ? fixture.apnsToken("d") : fixture.fcmToken("d")
        #expect(new != old)
        #expect(!new.isEmpty)
        #expect(fixture.device("d").fid == fid)
        #expect(fixture.takeEvents().map(Self.tokenChange) == ["\(provider.rawValue) \(old) \(new) rotate"])
        #expect(fixture.perform(.deleteToken(provider), on: "d") == nil)
        #expect(fixture.takeEvents().map(Self.tokenChange) == ["\(provider.rawValue) \(new) - delete"])
        #expect(
            fixture.perform(.deleteToken(provider), on: "d")?.message == "The device has no \(provider.rawValue) token."
        )
        #expect(fixture.perform(.rotateToken(provider), on: "d") == nil)
        #expect(fixture.takeEvents().map(Self.tokenChange).first?.hasPrefix("\(provider.rawValue) - ") == true)
    }

    private static func tokenChange(_ event: Event) -> String {
        guard event.kind == .token, case .fields(let fields) = event.detail else { return event.kind.rawValue }
        return ["provider", "old", "new", "cause"].map { name in
            guard case .string(let text)? = fields.first(where: { $0.0 == name })?.1 else { return "-" }
            return text
        }.joined(separator: " ")
    }

    @Test(arguments: [Device.Platform.android, .web]) func `only an iOS device has APNs tokens`(
        platform: Device.Platform
    ) {
        let fixture = EngineFixture()
        fixture.make("d", platform)
        _ = fixture.take()
        #expect(fixture.perform(.rotateToken(.apns), on: "d")?.message == "Only an iOS device has APNs tokens.")
        #expect(fixture.perform(.deleteToken(.apns), on: "d")?.pointer == "/provider")
        #expect(fixture.take().isEmpty)
    }

    /// A patch, what is wrong with it, and the state that follows.
    @Test(
        arguments: [
            (#"{"online":false}"#, nil, "online"), (#"{"online":1}"#, "/set/online", nil),
            (#"{"app":"x"}"#, "/set/app", nil),
            (#"{"online":false,"unknown":1}"#, "/set/unknown", nil), (#"[]"#, "/set", nil),
            (#"{"permission":"denied"}"#, nil, "permission"), (#"{"locale":"de-DE"}"#, nil, "locale"),
        ] as [(String, String?, String?)])
    func `a patch changes all of its members, or none`(patch: String, pointer: String?, changed: String?) {
        let fixture = EngineFixture()
        fixture.make("d")
        let before = fixture.device("d").state
        _ = fixture.take()
        #expect(fixture.set("d", patch)?.pointer == pointer)
        #expect(fixture.take() == (pointer == nil ? ["state d"] : []))
        #expect((fixture.device("d").state != before) == (changed != nil))
    }

    @Test func `the event of a patch has the members that it named, without blanks`() {
        let fixture = EngineFixture()
        fixture.make("d")
        _ = fixture.take()
        fixture.set("d", "{ \"locked\" :\n true }")
        guard case .data(let bytes)? = fixture.takeEvents().first?.detail else {
            Issue.record("no data")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"locked":true}"#)
    }
}
