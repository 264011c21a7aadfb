internal import APNs
internal import Devices
internal import HTTPCore
internal import PushCore
internal import PushEngine

/// A gateway at an earlier time: calls change the gateway's engine, but with a time that the demo chooses.
final class DemoHost: ControlHost {
    private let host: any ControlHost
    private(set) var now: Timestamp
    /// Wake-ups that devices have asked for, the earliest first.
    private var wakes: [(due: Timestamp, device: DeviceRef)] = []

    init(_ host: any ControlHost, at start: Timestamp) {
        self.host = host
        now = start
    }

    /// Lets time pass, with everything that is due in between.
    func pass(until moment: Timestamp) {
        settle()
        while let next = wakes.first, next.due <= moment {
            wakes.removeFirst()
            now = max(now, next.due)
            box.engine.wake(next.device, at: now)
            settle()
        }
        now = max(now, moment)
    }

    /// Delivers what was sent, and collects the wake-ups.
    private func settle() {
        while !box.engine.pendingWork.fanOuts.isEmpty { box.engine.continueFanOuts(16, at: now) }
        wakes += box.engine.pendingWork.wakes
        box.engine.pendingWork.wakes = []
        wakes.sort { $0.due < $1.due }
    }

    /// Hands the remaining wake-ups over to the gateway.
    func finish() {
        settle()
        box.engine.pendingWork.wakes = wakes
    }

    var box: EngineBox { host.box }
    var systemTimeNow: Timestamp { now }
    var isClockFrozen: Bool { false }
    func moveClock(_ move: ClockMove) {}
    func runDue() -> Bool { true }
    var isTurnOver: Bool { false }
    func evaluateExpectations(upTo event: UInt64) -> Bool { true }
    func scheduleWork() {}
    func pushSent(after event: UInt64, refusedBy rule: RuleID?) {}
    var facts: ControlFacts { host.facts }
    var url: String { host.url }
    var eventStreams: (count: Int, capacity: Int) { host.eventStreams }
    var rules: [Rule] { host.rules }
    var allowedOrigins: [WebOrigin] {
        get { host.allowedOrigins }
        set { host.allowedOrigins = newValue }
    }
    func addKey(_ key: ProviderKey, pem: [UInt8]) -> String? { host.addKey(key, pem: pem) }
    func addAccount(_ email: String, pem: [UInt8]) -> String? { host.addAccount(email, pem: pem) }
    func removeKey(_ id: String) -> Bool { host.removeKey(id) }
    func removeAccount(_ email: String) -> Bool { host.removeAccount(email) }
    func inspection(of bytes: [UInt8], name: String?) -> () -> InspectionReport? {
        host.inspection(of: bytes, name: name)
    }
}
