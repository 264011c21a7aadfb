internal import Credentials
internal import EventLoop
internal import Fetching
internal import Platform

extension Server {
    /// Prepares what the gateway sends to other programs.
    func openOutgoing() throws(LoopError) {
        gateway.use(
            try Outgoing(
                gateway.configuration.outgoing, on: loop, ownPorts: Set(listeners.map(\.address.port)),
                authorityFile: credentials.path("ca.pem")
            ) { [unowned gateway] level, message, fields in
                gateway.log(level, message, at: gateway.clock.now, fields)
            })
    }
}
