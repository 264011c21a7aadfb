import APNs
import Devices
import PushCore

@testable import PushEngine

/// An engine with what a gateway gives it: a connection's memory, a clock that only the test moves, and a place for the
/// frames of devices.
///
/// Everything that happens is read back as lines of text, so that a test table can contain it.
final class EngineFixture {
    static let start = Timestamp(milliseconds: 1_800_000_000_000)
    static let app = "com.example.app"
    static let project = "demo"
    /// A token that no device has.
    static let token = String(repeating: "a1b2", count: 16)
    /// The same for FCM.
    static let fcmToken = "cUnknownInstallation01:APA91b" + String(repeating: "x", count: 134)

    var engine: PushEngine
    var now = start
    var connection = ConnectionMemory()
    let notifier = RecordingNotifier()
    /// The newest event that `take` has returned.
    var taken: UInt64 = 0
    /// Wakes and late pushes that are not due yet.
    var timers: [(due: Timestamp, work: Work)] = []

    /// What a timer does.
    enum Work {
        case wake(DeviceRef)
        case latePush(String)
    }

    init(_ change: (inout EngineSettings) -> Void = { _ in }) {
        var settings = EngineSettings()
        settings.apns.keys["ABCDE12345"] = ProviderKey(id: "ABCDE12345", team: "TEAM567890")
        settings.verifyProviderToken = { _, _, signature in signature == [1] }
        settings.digest = { bytes in Array(repeating: UInt8(truncatingIfNeeded: bytes.count), count: 32) }
        change(&settings)
        engine = PushEngine(settings, notifier: notifier)
    }
}
