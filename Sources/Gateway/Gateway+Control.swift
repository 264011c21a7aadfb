package import APNs
package import ControlAPI
internal import Credentials
internal import Inspection
internal import Platform
package import PushCore
internal import PushEngine
internal import PushFeed
internal import TLS
internal import RuleTables

/// The gateway as the control API uses it.
extension Gateway: ControlHost {
    package var now: Timestamp { clock.now }
    package var systemTimeNow: Timestamp { clock.systemTime }
    package var isTurnOver: Bool { turn.isOver }
    package var isClockFrozen: Bool { clock.isFrozen }

    package func moveClock(_ move: ClockMove) {
        switch move {
        case .to(let moment): clock.set(to: moment)
        case .freeze: clock.freeze()
        case .resume: clock.resume()
        }
        box.engine.saveClock(clock.setting)
        // The API call runs what is now due. If its client closes the connection before that, `wake` runs it.
        wakeWhenDue()
    }

    package func pushSent(after event: UInt64, refusedBy rule: RuleID?) {
        feed.received(after: event, refusedBy: rule)
        scheduleWork()
    }

    package var facts: ControlFacts {
        var facts = ControlFacts(
            connections: connections.count, port: port, credentials: Files.absolute(configuration.certificates),
            accounts: keyring.accountNames)
        facts.run = run
        if let credentials {
            (facts.keyID, facts.teamID) = (credentials.keyID, credentials.teamID)
            facts.serviceAccount = credentials.portFiles.serviceAccount
        }
        return facts
    }

    package var url: String { "\(tls.server == nil ? "http" : "https")://localhost:\(port)" }

    package var eventStreams: (count: Int, capacity: Int) { (streams.count, Self.streamCapacity) }
    package var rules: [Rule] { RuleBook.all }

    package func addKey(_ key: ProviderKey, pem: [UInt8]) -> String? {
        do throws(CryptoError) {
            let isPublic = String(decoding: pem, as: UTF8.self).includes("PUBLIC KEY")
            let publicPEM = isPublic ? pem : try PrivateKey(pem: pem).publicKey.pem
            try keyring.add(key, publicPEM: publicPEM)
            box.engine.addKey(key, publicPEM: publicPEM)
        } catch { return error.reason }
        return nil
    }

    package func addAccount(_ email: String, pem: [UInt8]) -> String? {
        do throws(CryptoError) {
            let publicPEM = try PrivateKey(pem: pem).publicKey.pem
            try keyring.addAccount(email, publicPEM: publicPEM)
            box.engine.addAccount(email, publicPEM: publicPEM)
        } catch { return error.reason }
        return nil
    }

    package func removeKey(_ id: String) -> Bool {
        guard box.engine.removeKey(id, original: ownKeys[id]) else { return false }
        keyring.remove(id, original: ownKeys[id])
        return true
    }

    package func removeAccount(_ email: String) -> Bool {
        let wasAdded = box.engine.removeAccount(email)
        if wasAdded { keyring.removeAccount(email) }
        return wasAdded
    }

    package func inspection(of bytes: [UInt8], name: String?) -> () -> InspectionReport? {
        let inspection = GradualInspection(InspectionInput(bytes, name: name))
        return { [now] in inspection.advance(at: now)?.report }
    }
}
