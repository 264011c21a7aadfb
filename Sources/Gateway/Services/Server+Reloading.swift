internal import Credentials
internal import EventLoop
internal import Platform
internal import PushCore
internal import TLS

extension Server {
    /// Reads the certificates again. New connections use them, and open connections keep the old ones.
    func reload() {
        gateway.clock.tick()
        do {
            let fresh = try Credentials.prepare(
                in: credentials.directory,
                for: gateway.configuration.credentials.listening(on: listeners[0].address.port),
                now: gateway.clock.now.seconds, on: .reload,
                isGatewayRunning: { [credentials] _ in credentials.portFiles.otherPort != nil })
            gateway.use(try fresh.tlsServerContext(), signedBy: fresh.authority)
            gateway.log(.info, "certificates reloaded", at: gateway.clock.now, ["because": fresh.notice])
        } catch {
            gateway.log(.error, "cannot reload certificates", at: gateway.clock.now, ["error": "\(error)"])
        }
    }
}
