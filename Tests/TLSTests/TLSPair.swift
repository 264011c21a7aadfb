import Glibc

@testable import TLS

/// A client and a server in memory. The tests carry the bytes between them, in pieces of at most `size`.
final class TLSPair {
    let client: TLSSession
    let server: TLSSession
    private let size: Int
    /// Changes the bytes on their way.
    var damage: (inout [UInt8]) -> Void = { _ in }
    private(set) var serverSawEnd = false

    init(
        _ context: TLSContext, trusting authority: [UInt8], name: String = "localhost",
        offering protocols: [ApplicationProtocol] = [], size: Int = 1 << 20
    ) throws {
        self.size = size
        server = try TLSSession(server: context) { _ in [.http2, .http11] }
        client = try TLSSession(
            client: TLSContext(clientTrusting: authority), serverName: name, offering: protocols)
    }

    func shakeHands() throws {
        var done = (client: false, server: false)
        for _ in 0..<10 where !(done.client && done.server) {
            done.client = try client.handshake()
            try carry(from: client, to: server) { if !done.server { done.server = try server.handshake() } }
            try carry(from: server, to: client) { if !done.client { done.client = try client.handshake() } }
        }
        guard done.client, done.server else { throw TLSFailure("complete the TLS handshake in ten round trips") }
    }

    /// Carries the bytes of one side to the other, and returns the plaintext that the other side reads.
    func carry(toServer: Bool) throws -> [UInt8] {
        var found: [UInt8] = []
        let reader = toServer ? server : client
        try carry(from: toServer ? client : server, to: reader) {
            var last = TLSSession.Read.data
            while last == .data {
                last = try reader.read { bytes in
                    for index in bytes.indices { found.append(bytes[index]) }
                }
            }
            if toServer, last == .closed { serverSawEnd = true }
        }
        return found
    }

    private func carry(from: TLSSession, to: TLSSession, _ body: () throws -> Void) throws {
        var bytes: [UInt8] = []
        from.drain { span in
            for index in span.indices { bytes.append(span[index]) }
        }
        guard !bytes.isEmpty else { return }
        damage(&bytes)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            var problem: (any Error)?
            try to.receive(piece.span) { do { try body() } catch { problem = error } }
            if let problem { throw problem }
        }
    }
}

/// An authority that is valid now by the system clock, which OpenSSL uses in a handshake.
struct TLSTestAuthority {
    private let authority: CertificateAuthority
    private let now = Int64(time(nil))

    init() throws { authority = try CertificateAuthority.create(now: now) }

    var pem: [UInt8] { get throws { try authority.certificate.pem } }

    func identity(_ name: String) throws -> TLSIdentity {
        let made = try authority.issueServerCertificate(names: [.dns(name)], now: now)
        return TLSIdentity(certificateChain: try made.certificate.pem, privateKey: try made.key.pem)
    }
}
