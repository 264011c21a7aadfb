package import APNs
package import Faults

/// What the engine remembers about a connection.
package struct ConnectionMemory {
    package var session: APNsSession
    package var faults = FaultMemory()

    package init(session: APNsSession = APNsSession()) { self.session = session }
}
