package import APNs
package import HTTPCore
package import PushCore
package import PushEngine

/// The control API's view of the gateway: the engine, the clock, and a few things outside the engine.
package protocol ControlHost: AnyObject {
    /// The engine, which the gateway uses as well.
    var box: EngineBox { get }
    /// The gateway's time.
    var now: Timestamp { get }
    /// The system's time, whatever `moveClock` has set, and also while the clock is frozen.
    var systemTimeNow: Timestamp { get }
    var isClockFrozen: Bool { get }
    /// Call `runDue` afterwards.
    func moveClock(_ move: ClockMove)
    /// The gateway's URL.
    var url: String { get }
    /// Does everything that is due by the clock. Returns false if the turn ended before all of it was done.
    func runDue() -> Bool
    /// Whether a call has to wait for another turn of the loop to continue.
    var isTurnOver: Bool { get }
    /// Compares the waiting `expect` calls with new pushes, and answers the calls that are now decided. Returns false
    /// if the turn ended before every call was compared with all pushes up to this event.
    func evaluateExpectations(upTo event: UInt64) -> Bool
    /// Schedules the deliveries that a change has made possible. Call it after every change.
    func scheduleWork()
    /// Notes that a call has sent a push, for the log. Its events follow the event with the number `event`.
    func pushSent(after event: UInt64, refusedBy rule: RuleID?)
    var facts: ControlFacts { get }
    /// The number of open event streams, and the limit.
    var eventStreams: (count: Int, capacity: Int) { get }
    /// The origins of web pages that may use the gateway.
    var allowedOrigins: [WebOrigin] { get set }
    /// Every rule with its meaning and remedy.
    var rules: [Rule] { get }
    /// Adds an APNs provider key. Returns why the key cannot be used, or nil if it was added.
    func addKey(_ key: ProviderKey, pem: [UInt8]) -> String?
    /// Adds an FCM service account. Returns why its key cannot be used, or nil if it was added.
    func addAccount(_ email: String, pem: [UInt8]) -> String?
    /// Forgets a key or an account. False if it was not added over the API, or is unknown.
    func removeKey(_ id: String) -> Bool
    func removeAccount(_ email: String) -> Bool
    /// Begins to find out what a key, token, account or payload is, and what is wrong with it.
    ///
    /// - Parameter name: the file's name, if there is one.
    /// - Returns: a function that takes the next step. It returns nil while steps are left.
    func inspection(of bytes: [UInt8], name: String?) -> () -> InspectionReport?
}

/// A change to the gateway's clock.
package enum ClockMove {
    case to(Timestamp)
    case freeze
    /// Run again, starting from the current value.
    case resume
}

/// Facts about the gateway that the control API shows in addition to the engine's state.
package struct ControlFacts {
    package var connections: Int
    package var port: UInt16
    /// The directory of keys and certificates.
    package var credentials: String
    /// The service accounts whose keys are known.
    package var accounts: [String]
    /// Identifies this run of the gateway. It changes at each start, unless the start restored the messages and events.
    package var run = ""
    /// The ids of the gateway's own provider key.
    package var keyID = ""
    package var teamID = ""
    /// The name of the file with the gateway's own service account.
    package var serviceAccount = ""

    package init(connections: Int, port: UInt16, credentials: String, accounts: [String]) {
        self.connections = connections
        self.port = port
        self.credentials = credentials
        self.accounts = accounts
    }
}
