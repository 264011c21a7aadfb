package import APNs
package import ControlAPI
internal import Credentials
package import PushCore
internal import PushEngine
internal import TLS

/// The gateway as the control API uses it.
extension Gateway: ControlHost {
    package var now: Timestamp { clock.now }
    package var systemTimeNow: Timestamp { clock.systemTime }
    package var isClockFrozen: Bool { clock.isFrozen }

    package func moveClock(_ move: ClockMove) {
        switch move {
        case .to(let moment): clock.set(to: moment)
        case .freeze: clock.freeze()
        case .resume: clock.resume()
        }
        runDue()
    }

    package var facts: ControlFacts {
        ControlFacts(
            connections: connections.count, port: port, credentials: configuration.certificates,
            accounts: keyring.accountNames)
    }

    package var eventStreams: (count: Int, capacity: Int) { (streams.count, Self.streamCapacity) }
    package var rules: [Rule] { RuleBook.all }

    package func addKey(_ key: ProviderKey, pem: [UInt8]) -> String? {
        do throws(CryptoError) {
            let isPublic = String(decoding: pem, as: UTF8.self).contains("PUBLIC KEY")
            if isPublic { try keyring.add(key, publicPEM: pem) } else { try keyring.add(key, pem: pem) }
        } catch { return error.reason }
        var policy = box.engine.dialects.apns.policy
        policy.keys[key.id] = key
        box.engine.setPolicy(policy)
        return nil
    }

    package func addAccount(_ email: String, pem: [UInt8]) -> String? {
        do throws(CryptoError) { try keyring.addAccount(email, pem: pem) } catch { return error.reason }
        return nil
    }
}
