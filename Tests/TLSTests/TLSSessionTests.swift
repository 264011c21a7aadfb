import Testing

@testable import TLS

/// Both ends in memory, the bytes between them cut anywhere.
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
    func `hands are shaken and data goes both ways, however the bytes are cut`(size: Int) throws {
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

    @Test func `an end is told, and what came before it is not lost`() throws {
        let pair = try TLSPair(context, trusting: authority, size: 50)
        try pair.shakeHands()
        #expect(pair.server.applicationProtocol == nil)
        try pair.client.write(([1, 2, 3] as [UInt8]).span)
        pair.client.shutDown()
        #expect(try pair.carry(toServer: true) == [1, 2, 3])
        #expect(pair.serverSawEnd)
    }

    @Test func `a flipped bit ends it with an error`() throws {
        let pair = try TLSPair(context, trusting: authority)
        try pair.shakeHands()
        try pair.client.write(Array("secret".utf8).span)
        pair.damage = { bytes in bytes[bytes.count - 1] ^= 1 }
        #expect(throws: TLSFailure.self) { try pair.carry(toServer: true) }
    }

    @Test func `a client that trusts another authority, or wants another name, shakes no hands`() throws {
        let stranger = try TLSPair(context, trusting: TLSTestAuthority().pem)
        #expect(throws: TLSFailure.self) { try stranger.shakeHands() }
        let misled = try TLSPair(context, trusting: authority, name: "b.example")
        #expect(throws: TLSFailure.self) { try misled.shakeHands() }
    }

    @Test(arguments: [("localhost", 0), ("a.example", 1)])
    func `the certificate follows the name that the client asks for`(name: String, place: Int) throws {
        let pair = try TLSPair(context, trusting: authority, name: name)
        try pair.shakeHands()
        let shown = try #require(pair.client.peerCertificate)
        #expect(shown.isTrusted)
        #expect(try Certificate(der: shown.der).pem == identities[place].certificateChain)
    }
}
