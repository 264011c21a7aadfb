import Testing

@testable import TLS

@Suite struct DERTests {
    @Test(arguments: [0, 1, 127, 128, 255, 256, 65_535, 65_536])
    func `an element of any length is read back`(count: Int) throws {
        let contents = [UInt8](repeating: 0xA5, count: count)
        let der = DERWriter.element(.octetString, contents)
        var reader = DERReader(der[...])
        #expect(Array(try reader.next(.octetString)) == contents)
        #expect(reader.isAtEnd)
    }

    @Test(arguments: [
        [0x04], [0x04, 0x01], [0x04, 0x80], [0x04, 0x81], [0x04, 0x82, 0x01], [0x04, 0xFF, 0x00],
        [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x04, 0x85, 0, 0, 0, 0, 0], [0x1F, 0x01, 0x00], [0xFF, 0x00],
    ])
    func `an element that extends past the end or has an unsupported header is malformed`(bytes: [UInt8]) {
        #expect(throws: DERReader.Malformed.self) {
            var reader = DERReader(bytes[...])
            _ = try reader.next()
        }
    }

    @Test func `a sequence with bytes after it is malformed`() {
        let der = DERWriter.sequence([DERWriter.null]) + [0]
        #expect(throws: DERReader.Malformed.self) { try DERReader.contents(ofSequence: der[...]) }
        #expect(throws: DERReader.Malformed.self) { try DERReader.contents(ofSequence: DERWriter.null[...]) }
    }

    @Test(arguments: [
        ([], [2, 1, 0]), ([0, 0], [2, 1, 0]), ([0x7F], [2, 1, 0x7F]), ([0x80], [2, 2, 0, 0x80]),
        ([0, 0, 1, 2], [2, 2, 1, 2]),
    ])
    func `an integer is as short as possible and never negative`(bytes: [UInt8], der: [UInt8]) {
        #expect(DERWriter.unsignedInteger(bytes) == der)
    }

    @Test func `a short r or s is padded to 32 bytes and back`() {
        let raw = [UInt8](repeating: 0, count: 31) + [0x80] + [UInt8](repeating: 0xFF, count: 32)
        let der = ES256Signature.der(fromRaw: raw)
        #expect(der.prefix(8) == [0x30, 39, 2, 2, 0, 0x80, 2, 33])
        #expect(ES256Signature.raw(fromDER: der) == raw)
    }

    @Test(arguments: [
        [], [0x30, 0x00], [0x30, 3, 2, 1, 1], [0x30, 6, 2, 1, 1, 2, 1, 0x81], [0x30, 5, 2, 0, 2, 1, 1],
        [0x30, 9, 2, 1, 1, 2, 1, 1, 2, 1, 1], [0x30, 6, 2, 1, 1, 2, 1, 1, 0],
        [0x30, 38, 2, 33, 1] + [UInt8](repeating: 0, count: 32) + [2, 1, 1],
    ])
    func `only two non-negative numbers of at most 256 bits have a raw form`(der: [UInt8]) {
        #expect(ES256Signature.raw(fromDER: der) == nil)
    }

    @Test func `a list of topics has Apple's encoding`() {
        let der: [UInt8] = [
            0x30, 0x0D, 0x0C, 0x03, 0x61, 0x2E, 0x62, 0x30, 0x06, 0x0C, 0x01, 0x78, 0x0C, 0x01, 0x79,
        ]
        #expect(TopicGrant.encode([TopicGrant("a.b", "x", "y")]) == der)
        #expect(TopicGrant.decode(der) == [TopicGrant("a.b", "x", "y")])
    }

    @Test(arguments: [
        [], [5, 0], [0x30, 2, 5, 0], [0x30, 4, 0x30, 2, 5, 0], [0x30, 2, 0x0C, 0], [0x30, 3, 0x0C, 1, 0xFF],
        [0x30, 3, 0x0C, 2, 0x61], [0x30, 7, 0x0C, 1, 0x61, 0x30, 2, 5, 0], [0x30, 3, 0x0C, 1, 0x61, 0x00],
    ])
    func `a malformed list has no topics`(der: [UInt8]) {
        #expect(TopicGrant.decode(der).isEmpty)
    }

    @Test func `a list longer than the limit has no topics`() {
        let grants = Array(repeating: TopicGrant("a", "app"), count: TopicGrant.limit)
        #expect(TopicGrant.decode(TopicGrant.encode(grants)) == grants)
        #expect(TopicGrant.decode(TopicGrant.encode(grants + grants.prefix(1))).isEmpty)
    }
}
