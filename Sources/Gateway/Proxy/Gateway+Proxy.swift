internal import APNs
internal import HTTPCore
internal import Proxy
internal import PushCore
internal import PushEngine
internal import Routing

/// Pushpit as an HTTPS proxy: it answers for the vendors' hosts itself.
extension Gateway {
    func openTunnel(_ request: Request, on connection: Connection) -> RequestOutcome {
        if let refusal = accessPolicy.proxyRefusal(of: request.headers) { return .answer(refusal) }
        let authority = request.headers.authorityText ?? ""
        guard request.headers.method == .connect else {
            return .answer(
                Answers.noTunnel(VendorHost.problem(withURLOf: authority, forwardsOtherHosts: relays.dial != nil)))
        }
        // nghttp2 has no tunnels, and TLS inside TLS would need a second session.
        guard request.version != .http2, !connection.facts.isTLS else { return .answer(Answers.proxyWithTLS) }
        // One packet could otherwise nest thousands of tunnels.
        guard connection.facts.tunnelHost == nil else { return .answer(Answers.tunnelInTunnel) }
        do throws(VendorHost.Problem) {
            return .tunnel(
                try ProxyTarget(authority, forwardsOtherHosts: relays.dial != nil))
        } catch {
            return .answer(Answers.noTunnel(error))
        }
    }
}

extension HTTP1Channel {
    /// Answers a CONNECT. A client that has not read its earlier answers, or whose connection is about to close, gets
    /// no tunnel.
    func openTunnel(to target: ProxyTarget) {
        guard output.isEmpty, connection.transport.pendingBytes == 0, !closesAfterAnswers else {
            return isEnding = true
        }
        switch target {
        case .vendor(let host):
            output.tail += Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
            connection.flush()
            connection.openTunnel(to: host)
        case .other(let target): connection.openRelay(to: target)
        }
    }
}

extension Connection {
    /// Whether a CONNECT has just changed what the connection carries.
    var hasJustOpenedTunnel: Bool {
        switch layer {
        case .opening, .relay: true
        case .handshaking, .held, .sniffing, .http1, .http2, .webSocket, .mcs: false
        }
    }

    var isRelay: Bool { if case .relay = layer { true } else { false } }

    func openRelay(to target: RelayTarget) {
        layer.channel?.detach()
        opened = gateway.loopNow
        let relay = RelayChannel(self, to: target)
        layer = .relay(relay)
        relay.start()
    }

    /// Begins anew, as if the client had connected to the vendor's host itself.
    func openTunnel(to host: VendorHost) {
        layer.channel?.detach()
        facts.role = facts.role.resolved(serverName: host.name)
        facts.tunnelHost = host.name
        let environment = facts.vendor == .appleSandbox ? .sandbox : memory.session.environment
        memory = ConnectionMemory(session: APNsSession(environment: environment))
        opened = gateway.loopNow
        layer = .opening
    }

    /// Keeps what the client has sent after its CONNECT for the next turn.
    func keepForTunnel(_ bytes: Span<UInt8>) {
        guard bytes.count > 0 else { return }
        unread.append(addingCapacity: bytes.count) { $0.append(bytes) }
        waitForTurn()
    }

    /// Receives what was kept.
    func receiveInTunnel(_ bytes: Span<UInt8>) {
        guard bytes.count > 0, lifecycle.readsInput else { return }
        open(first: bytes[0])
        if tls != nil { receiveTLS(bytes) } else { handle(bytes) }
    }
}
