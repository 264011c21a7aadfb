package import APNs
package import PushCore
package import PushEngine

/// The gateway as the control API sees it: the engine, the clock, and a few facts and acts that are not the engine's.
package protocol ControlHost: AnyObject {
    var engine: PushEngine { get set }
    /// The gateway's time, and the system's, which nobody moves.
    var now: Timestamp { get }
    var unmovedNow: Timestamp { get }
    var isClockFrozen: Bool { get }
    func moveClock(_ move: ClockMove)
    /// Answers the calls of `expect` that are decided by now.
    func judgeExpectations()
    /// To be called after a change: something may have to be sent now.
    func workLater()
    var facts: ControlFacts { get }
    /// The number of open event streams, and how many there may be.
    var eventStreams: (count: Int, capacity: Int) { get }
    /// Every rule with its meaning and remedy.
    var rules: [Rule] { get }
    /// Adds a key that providers sign with, or an account that senders sign in with. Returns why it cannot be used.
    func addKey(_ key: ProviderKey, pem: [UInt8]) -> String?
    func addAccount(_ email: String, pem: [UInt8]) -> String?
}

/// A change of the gateway's clock.
package enum ClockMove {
    case to(Timestamp)
    case freeze
    /// It goes on from where it stands.
    case resume
}

/// What the control API shows of the gateway beside the engine's state.
package struct ControlFacts {
    package var connections: Int
    package var port: UInt16
    /// The directory of keys and certificates.
    package var credentials: String
    /// The service accounts whose keys are known.
    package var accounts: [String]

    package init(connections: Int, port: UInt16, credentials: String, accounts: [String]) {
        self.connections = connections
        self.port = port
        self.credentials = credentials
        self.accounts = accounts
    }
}
