import Testing

@testable import TLS

/// Both ends are in memory, and the bytes between them are split anywhere.
@Suite struct TLSSessionTests {
    private let authority: [UInt8]
    private let identities: [TLSIdentity]
    private let context: TLSContext

    init() throws {
        _ = TLSLibrary.isStarted
        let signer = try TLSTestAuthority()
        authority = try signer.pem
        identities = [try signer.identity("localhost"), try signer.identity("a.example")]
        context = try TLSContext(server: identities, clientAuthority: authority)
    }

    @Test(arguments: [1, 7, 100, 1 << 20])
    func `a handshake succeeds and data goes both ways, however the bytes are split`(size: Int) throws {
        let pair = try TLSPair(context, trusting: authority, offering: [.http2, .http11], size: size)
        try pair.shakeHands()
        #expect(pair.server.applicationProtocol == .http2)
        #expect(pair.client.applicationProtocol == .http2)
        #expect(pair.server.serverName == "localhost")
        let long = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for message in [Array("hello".utf8), long, [0]] {
            try pair.client.write(message.span)
            #expect(try pair.carry(toServer: true) == message)
            try pair.server.write(message.span)
            #expect(try pair.carry(toServer: false) == message)
        }
    }

    @Test func `the end of a connection is reported after the data before it`() throws {
        let pair = try TLSPair(context, trusting: authority, size: 50)
        try pair.shakeHands()
        #expect(pair.server.applicationProtocol == nil)
        try pair.client.write(([1, 2, 3] as [UInt8]).span)
        pair.client.shutDown()
        #expect(try pair.carry(toServer: true) == [1, 2, 3])
        #expect(pair.serverSawEnd)
    }

    @Test func `a flipped bit is an error`() throws {
        let pair = try TLSPair(context, trusting: authority)
        try pair.shakeHands()
        try pair.client.write(Array("secret".utf8).span)
        pair.damage = { bytes in bytes[bytes.count - 1] ^= 1 }
        #expect(throws: TLSFailure.self) { try pair.carry(toServer: true) }
    }

    @Test func `a handshake fails if the client trusts another authority or asks for another name`() throws {
        let untrusting = try TLSPair(context, trusting: TLSTestAuthority().pem)
        #expect(throws: TLSFailure.self) { try untrusting.shakeHands() }
        let misnamed = try TLSPair(context, trusting: authority, name: "b.example")
        #expect(throws: TLSFailure.self) { try misnamed.shakeHands() }
    }

    @Test(arguments: [("localhost", 0), ("a.example", 1)])
    func `the server sends the certificate for the name that the client asks for`(name: String, place: Int) throws {
        let pair = try TLSPair(context, trusting: authority, name: name)
        try pair.shakeHands()
        let shown = try #require(pair.client.peerCertificate)
        #expect(shown.isTrusted)
        #expect(try Certificate(der: shown.der).pem == identities[place].certificateChain)
    }
}
