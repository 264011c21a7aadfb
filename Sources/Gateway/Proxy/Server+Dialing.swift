internal import EventLoop

extension Server {
    /// Lets the gateway's proxy connect to other machines.
    func allowDialing() throws(LoopError) {
        let lookup = try HostLookup(on: loop)
        self.lookup = lookup
        gateway.relays.ignoreUpstream(onPorts: listeners.map(\.address.port))
        gateway.relays.dial = { [loop] address, done in
            lookup.find(address) { found in
                switch found {
                case .failure(let failure): done(.failure(Relays.DialFailure(reason: "the address \(failure.reason)")))
                case .success(let addresses):
                    TCPStream.connect(to: addresses[0], on: loop) { connected in
                        done(
                            connected.map { $0 as any RelayTransport }
                                .mapError { Relays.DialFailure(reason: $0.description) })
                    }
                }
            }
        }
    }
}
