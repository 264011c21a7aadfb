internal import APNs
internal import HTTPCore
internal import Platform
internal import PushCore
internal import PushEngine
internal import PushFeed
internal import Routing
internal import TLS

/// Detecting the protocol of a connection.
extension Connection {
    /// Starts TLS if the first byte is that of a TLS record.
    func open(first byte: UInt8) {
        layer = .sniffing([])
        guard byte == Self.tlsRecord, let context = gateway.tls.server, !applyOpeningFault(isTLS: true) else { return }
        startTLS(context)
    }

    /// The first byte of a TLS record with a handshake.
    private static let tlsRecord: UInt8 = 0x16

    func startTLS(_ context: TLSContext) {
        let role = facts.role
        tls = try? TLSSession(server: context) { role.resolved(serverName: $0).protocols }
        // Google's servers ask for no client certificate. If the gateway did, Chromium would close its push connection.
        tls?.asksForCertificate = { Vendor(host: $0)?.usesClientCertificates ?? true }
        facts.isTLS = true
        layer = .handshaking
    }

    func receiveTLS(_ bytes: Span<UInt8>) {
        guard let tls else { return }
        do throws(TLSFailure) {
            try tls.receive(bytes) { () throws(TLSFailure) in try read(tls) }
        } catch {
            noteFailure(error, of: tls)
            tls.drain { transport.write($0) }
            endGracefully()
        }
    }

    /// A client that does not trust the gateway causes only one log line, however often it tries again.
    private func noteFailure(_ error: TLSFailure, of tls: TLSSession) {
        let isDistrust = Self.connectionNotes.contains { error.reason.includes($0) }
        let name = tls.serverName
        let isNew = isDistrust && gateway.connectionNotes.isNew("\(error.reason) \(name ?? "")", at: gateway.loopNow)
        gateway.log(
            isNew ? .info : .debug, "tls failed", at: gateway.clock.now,
            ["error": error.description, "name": name, "because": isDistrust ? Self.distrustHint : nil])
    }

    /// Reports a client that leaves soon after its TLS handshake has begun, before its first request. Some clients that do
    /// not trust the gateway, such as Node, send no alert.
    func noteSilentEnd() {
        guard let tls, !hasInput, lifecycle.readsInput, gateway.loopNow &- opened < Self.quickEnd else { return }
        let name = tls.serverName
        guard gateway.connectionNotes.isNew("silent \(name ?? "")", at: gateway.loopNow) else { return }
        gateway.log(
            .info, "tls ended", at: gateway.clock.now, ["name": name, "because": Self.silentEndHint])
    }

    /// Reports a client that speaks HTTP/1.1 to Apple's hosts. Like Apple, the gateway answers it with an HTTP/2 frame.
    private func noteHTTP1(_ bytes: Span<UInt8>) {
        guard facts.role == .apns, case .http2 = layer, Self.beginsPush(bytes),
            gateway.connectionNotes.isNew("http/1.1", at: gateway.loopNow)
        else { return }
        gateway.log(.info, "http/1.1", at: gateway.clock.now, ["name": facts.serverName, "because": Self.http1Hint])
    }

    /// Whether this is the first line of a push, of a broadcast or of a call about channels.
    private static func beginsPush(_ bytes: Span<UInt8>) -> Bool {
        ["POST /3/", "POST /4/", "POST /1/"].contains { begins(bytes, $0) }
    }

    private static func begins(_ bytes: Span<UInt8>, _ text: String) -> Bool {
        var index = 0
        for byte in text.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index &+= 1
        }
        return true
    }

    private static let http1Hint =
        "APNs speaks only HTTP/2, and the client sent HTTP/1.1: with httpx, set http2=True; with curl, add --http2"

    /// In milliseconds. A client that closes sooner is reported; browsers keep unused connections open longer than
    /// this.
    private static let quickEnd: UInt64 = 3000
    private static let silentEndHint =
        "the client closed the connection before its first request: if it reports a certificate error, give it ca.pem from the directory of --certs, or what this gateway serves at /ca.pem"

    /// The alerts of clients that do not trust the gateway's certificate, in OpenSSL's words.
    private static let connectionNotes = ["alert unknown ca", "alert bad certificate", "alert certificate unknown"]
    private static let distrustHint =
        "the client does not trust the gateway's certificate: give it ca.pem from the directory of --certs, or what this gateway serves at /ca.pem"

    /// Why the client's certificate ends the connection; nil if it does not.
    func certificateRefusal(isSandbox: Bool) -> APNsReason? {
        guard let certificate = facts.clientCertificate, gateway.box.engine.dialects.apns.policy.auth != .off else {
            return nil
        }
        if !certificate.isTrusted { return .badCertificate }
        let marked = certificate.provider.environments
        let isWanted = marked.isEmpty || marked.contains(isSandbox ? .sandbox : memory.session.environment)
        return isWanted ? nil : .badCertificateEnvironment
    }

    private func read(_ tls: TLSSession) throws(TLSFailure) {
        if case .handshaking = layer {
            guard try tls.handshake() else { return send([UInt8]().span) }
            handshakeEnded(tls)
        }
        var read = TLSSession.Read.data
        while case .data = read {
            read = try tls.read { bytes in
                if !hasInput { noteHTTP1(bytes) }
                hasInput = true
                handle(bytes)
            }
        }
        if case .closed = read {
            noteSilentEnd()
            flush()
            endGracefully()
        }
    }

    private func handshakeEnded(_ tls: TLSSession) {
        facts.serverName = tls.serverName
        facts.role = facts.role.resolved(serverName: tls.serverName)
        facts.clientCertificate = tls.peerCertificate.map(PeerCertificate.init)
        memory.session = APNsSession(
            certificate: gateway.box.engine.dialects.apns.policy.auth == .off ? nil : facts.clientCertificate?.provider,
            environment: facts.vendor == .appleSandbox ? .sandbox : memory.session.environment)
        switch tls.applicationProtocol {
        case .http2: layer = .http2(HTTP2Channel(self))
        case .http11: layer = .http1(HTTP1Channel(self))
        // APNs sends its SETTINGS before the client's first bytes. A client of another role may speak HTTP/1.1 and
        // could not read them.
        case nil: layer = facts.role == .apns ? .http2(HTTP2Channel(self)) : .sniffing([])
        }
    }

    /// The first byte that an MCS client sends. No HTTP method begins with it.
    private static let mcsVersion: UInt8 = 41

    /// Detects HTTP/2 by its preface, which begins with `PRI `. No supported method begins with it.
    func sniff(_ seen: [UInt8], _ bytes: Span<UInt8>) {
        var seen = seen
        for index in bytes.indices { seen.append(bytes[index]) }
        if seen.first == Self.mcsVersion || facts.role == .mcs {
            layer = .mcs(MCSChannel(self))
            return handle(seen.span)
        }
        let mark = Array("PRI ".utf8)
        let isPreface = seen.starts(with: mark)
        if !isPreface, mark.starts(with: seen) {
            layer = .sniffing(seen)
            return
        }
        if isPreface, tls == nil, applyOpeningFault(isTLS: false) { return handle(seen.span) }
        layer = isPreface || facts.role == .apns ? .http2(HTTP2Channel(self)) : .http1(HTTP1Channel(self))
        handle(seen.span)
    }
}

extension Role {
    /// The role `any` changes to the role of the requested server name. Other roles do not change.
    func resolved(serverName: String?) -> Role {
        guard self == .any, let serverName else { return self }
        switch Vendor(host: serverName) {
        case .apple, .appleSandbox: return .apns
        case .google: return .fcm
        case .webPush, nil: return .any
        }
    }

    /// The protocols for ALPN, best first. Apple's servers support only HTTP/2, and MCS has no name.
    var protocols: [ApplicationProtocol] {
        switch self {
        case .apns: [.http2]
        case .mcs: []
        case .any, .fcm: [.http2, .http11]
        }
    }
}
