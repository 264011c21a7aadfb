import APNs
import Platform
import PushCore
import Routing
import TLS

@testable import Gateway

/// A whole gateway without sockets. Whatever one connection says, it traps nothing, the next connection is served,
/// and when both are gone, nothing of them is left.
/// Options: 0 to 1 the role, 2 the bytes are a script of HTTP/2 frames, 3 unknown devices are refused, 4 the peer
/// falls silent in the middle, 5 it closes in the middle, 6 the gateway is shutting down, 7 an API token is needed.
func fuzzGateway(_ input: [UInt8]) {
    guard let pieces = Pieces(input) else { return }
    var configuration = Configuration()
    configuration.apns.acceptsUnknownDevices = !pieces.isSet(3)
    if pieces.isSet(7) { configuration.apiToken = "secret" }
    let log = Log(format: pieces.isSet(3) ? .json : .text, level: .debug) { _ in }
    let gateway = Gateway(
        configuration, log: log, clock: .manual(at: Timestamp(milliseconds: 1_790_000_000_000)), seed: 1)
    gateway.use(unsafe GatewayCredentials.context)
    var now: UInt64 = 1000
    gateway.loopTime = { now }

    let transport = CountingTransport()
    let connection = gateway.accept(transport, role: [Role.any, .apns, .fcm, .any][Int(pieces.options & 3)])
    let said = pieces.isSet(2) ? framed(pieces) : pieces.chosen
    for (index, piece) in said.enumerated() {
        connection.received(Array(piece).span)
        if index == said.count / 2 {
            if pieces.isSet(6) { connection.shutDown() }
            if pieces.isSet(5) { connection.peerClosed() }
            if pieces.isSet(4) { now += 61_000 }
        }
        gateway.sweep()
        gateway.advanceClock(by: 10)
        connection.drained()
    }
    demandServed(gateway)
    connection.close()
    demand(gateway.openConnections == 0, "\(gateway.openConnections) connections are left")
    demand(transport.isClosed, "the transport was not closed")
}

private func framed(_ pieces: Pieces) -> [ArraySlice<UInt8>] {
    var reader = ByteReader(pieces.bytes[...])
    var frames = [FrameScript.preface[...], FrameScript.frame(4, 0, 0, [])[...]]
    while !reader.isAtEnd { frames.append(FrameScript.frame(&reader)[...]) }
    return frames
}

private func demandServed(_ gateway: Gateway) {
    let transport = CountingTransport()
    let connection = gateway.accept(transport, role: .any)
    connection.received(Array("GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8).span)
    demand(
        transport.head.starts(with: Array("HTTP/1.1 200 ".utf8)),
        "/livez answered \(String(decoding: transport.head, as: UTF8.self))")
    connection.peerClosed()
}

/// An authority and a server's certificate, made once a run.
private enum GatewayCredentials {
    nonisolated(unsafe) static let context: TLSContext? = {
        do {
            let authority = try CertificateAuthority.create(now: 1_790_000_000)
            let server = try authority.issueServerCertificate(
                names: [try SubjectAlternativeName("localhost")], now: 1_790_000_000)
            let identity = TLSIdentity(
                certificateChain: try server.certificate.pem, privateKey: try server.key.pem)
            return try TLSContext(server: [identity], clientAuthority: try authority.certificate.pem)
        } catch {
            fatalError("no certificates: \(error)")
        }
    }()
}

/// Counts what is written and keeps its beginning.
final class CountingTransport: Transport {
    private(set) var head: [UInt8] = []
    private(set) var isClosed = false
    private let limit: Int

    init(keeps limit: Int = 100) { self.limit = limit }

    func write(_ bytes: Span<UInt8>) {
        for index in bytes.indices where head.count < limit { head.append(bytes[index]) }
    }

    let pendingBytes = 0
    func startReading() {}
    func stopReading() {}
    func endWriting() {}
    func close() { isClosed = true }
    func reset() {}
}
