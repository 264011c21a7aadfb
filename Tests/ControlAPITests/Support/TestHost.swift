import APNs
import ControlAPI
import Credentials
import Devices
import FCM
import Faults
import HTTPCore
import Inspection
import PushCore
import PushEngine
import TLS

/// The control API's host in tests: a real engine and real keys, without a gateway. Time passes only when a test says
/// so, and no network is involved.
final class TestHost: ControlHost {
    /// A bundle id, and a device token that belongs to no device.
    static let app = "com.example.app"
    static let token = String(repeating: "a1b2c3d4", count: 8)
    static let otherApp = "com.example.other"

    let box: EngineBox
    private(set) var now = Timestamp(milliseconds: 1_800_000_000_000)
    /// The system's time.
    let systemTimeNow = Timestamp(milliseconds: 1_800_000_000_000)
    private(set) var isClockFrozen = false
    let keyring = Keyring()
    let notifications = Notifications()
    /// Real time in milliseconds, which only expectations see.
    var loopNow: UInt64 = 0
    /// The answers of the calls of `expect` that were deferred, in the order in which they were decided.
    private(set) var decided: [Response] = []
    /// How often the API said that there may be something to send.
    private(set) var workRequests = 0
    var eventStreamCount = 0
    var connection: ConnectionMemory

    init(_ change: (inout EngineSettings) -> Void = { _ in }) {
        var settings = EngineSettings()
        settings.verifyProviderToken = keyring.verify
        settings.verifyServiceAccount = keyring.verifyAccount
        settings.digest = { SHA256.digest($0) }
        change(&settings)
        connection = ConnectionMemory(session: APNsSession(environment: settings.apns.environment))
        box = EngineBox(PushEngine(settings, notifier: notifications))
    }

    func moveClock(_ move: ClockMove) {
        switch move {
        case .to(let moment): now = moment
        case .freeze: isClockFrozen = true
        case .resume: isClockFrozen = false
        }
    }

    func runDue() -> Bool { true }

    /// How often a call may look at the time before the turn is over; nil if that never happens.
    var looksPerTurn: Int?
    private var looks = 0

    var isTurnOver: Bool {
        guard let looksPerTurn else { return false }
        looks += 1
        return looks % looksPerTurn == 0
    }

    @discardableResult func evaluateExpectations(upTo event: UInt64 = .max) -> Bool {
        box.engine.evaluateExpectations { isTurnOver }
        for each in box.engine.takeDecidedExpectations(at: loopNow) {
            let newest = box.engine.events.newest
            decided.append(answer(of: ExpectAnswer(each.expectation, each.verdict, at: newest)))
        }
        return !box.engine.hasExpectationsToEvaluate(upTo: event)
    }

    /// Runs a query to its end.
    func answer(of query: any SlicedCall) -> Response {
        while true {
            if case .answer(let response) = query.advance(self) { return response }
        }
    }

    func scheduleWork() { workRequests += 1 }

    /// The pushes that calls have sent.
    private(set) var sent: [(after: UInt64, rule: RuleID?)] = []

    func pushSent(after event: UInt64, refusedBy rule: RuleID?) {
        sent.append((event, rule))
        scheduleWork()
    }

    var url: String { "https://localhost:2197" }

    var facts: ControlFacts {
        var facts = ControlFacts(
            connections: 3, port: 2197, credentials: "/etc/it's/certs", accounts: keyring.accountNames)
        facts.run = "run1"
        (facts.keyID, facts.teamID, facts.serviceAccount) = ("KEY1234567", "TEAM123456", "service-account-2198.json")
        return facts
    }

    var eventStreams: (count: Int, capacity: Int) { (eventStreamCount, 2) }

    let rules = APNsRules.all + FCMRules.all + DeviceRules.all + FaultRules.all

    func addKey(_ key: ProviderKey, pem: [UInt8]) -> String? {
        let isPublic = pem.starts(with: "-----BEGIN PUBLIC KEY".utf8)
        do throws(CryptoError) {
            if isPublic { try keyring.add(key, publicPEM: pem) } else { try keyring.add(key, pem: pem) }
        } catch { return error.reason }
        box.engine.addKey(key, publicPEM: [])
        return nil
    }

    var allowedOrigins: [WebOrigin] = []

    func addAccount(_ email: String, pem: [UInt8]) -> String? {
        do throws(CryptoError) { try keyring.addAccount(email, pem: pem) } catch { return error.reason }
        box.engine.addAccount(email, publicPEM: [])
        return nil
    }

    func removeKey(_ id: String) -> Bool { box.engine.removeKey(id, original: nil) }
    func removeAccount(_ email: String) -> Bool {
        keyring.removeAccount(email)
        return box.engine.removeAccount(email)
    }

    func inspection(of bytes: [UInt8], name: String?) -> () -> InspectionReport? {
        let inspection = GradualInspection(InspectionInput(bytes, name: name))
        return { [now] in inspection.advance(at: now)?.report }
    }
}

/// What the engine reports to the sockets that watch devices: only noted.
final class Notifications: DeviceNotifier {
    private(set) var events: [(kind: Event.Kind, isPush: Bool)] = []
    private(set) var dismissed: [ClientID] = []

    func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.InboundPush?) {
        events.append((event.kind, arrival != nil))
    }

    func dismiss(_ viewers: [PushEngine.Viewer]) { dismissed += viewers.map(\.connection) }
}
