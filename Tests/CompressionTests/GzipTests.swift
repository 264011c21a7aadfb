import Compression
import Testing

/// Compression with gzip, its limit, and broken input.
@Suite struct GzipTests {
    static let messages: [[UInt8]] = [
        [], [0], Array("Hello".utf8), [UInt8](repeating: 7, count: 16_384), [UInt8](repeating: 7, count: 200_000),
        (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) },
    ]

    @Test(arguments: messages) func `a compressed message is read back unchanged`(message: [UInt8]) throws {
        let compressed = try #require(Gzip.compress(message))
        #expect(compressed.starts(with: [0x1F, 0x8B]))
        try #expect(Gzip.decompress(compressed, limit: message.count) == message)
    }

    /// What `gzip` writes for "Hello", with a file name and a time in its header.
    static let hello: [UInt8] = [
        31, 139, 8, 8, 0x10, 0x20, 0x30, 0x60, 0, 3, 97, 0, 243, 72, 205, 201, 201, 7, 0, 130, 137, 209, 247, 5, 0, 0,
        0,
    ]

    @Test func `the header of a file may have a name`() throws {
        try #expect(Gzip.decompress(Self.hello, limit: 100) == Array("Hello".utf8))
    }

    @Test func `a message over the limit is refused, whatever it would decompress to`() throws {
        let compressed = try #require(Gzip.compress([UInt8](repeating: 0, count: 10_000_000)))
        #expect(compressed.count < 12_000)
        #expect(throws: Gzip.Problem.tooLong) { try Gzip.decompress(compressed, limit: 9_999_999) }
        #expect(throws: Gzip.Problem.tooLong) { try Gzip.decompress(compressed, limit: 0) }
        try #expect(Gzip.decompress(compressed, limit: 10_000_000).count == 10_000_000)
    }

    @Test func `each message that is cut off is broken`() {
        for count in 0..<Self.hello.count {
            #expect(throws: Gzip.Problem.broken, "\(count) bytes") {
                try Gzip.decompress(Array(Self.hello.prefix(count)), limit: 100)
            }
        }
    }

    @Test func `a changed bit never gives another message`() {
        for index in Self.hello.indices {
            for bit in 0..<8 {
                var bytes = Self.hello
                bytes[index] ^= 1 << UInt8(bit)
                guard let message = try? Gzip.decompress(bytes, limit: 100) else { continue }
                #expect(message == Array("Hello".utf8), "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test(arguments: [[0], hello, Array("{}".utf8)]) func `bytes after the message are refused`(rest: [UInt8]) {
        #expect(throws: Gzip.Problem.broken) { try Gzip.decompress(Self.hello + rest, limit: 100) }
    }

    @Test func `other formats are broken`() {
        let zlib: [UInt8] = [120, 156, 243, 72, 205, 201, 201, 7, 0, 5, 140, 1, 245]
        for bytes in [zlib, Array(zlib[2...]), Array(#"{"message":{}}"#.utf8)] {
            #expect(throws: Gzip.Problem.broken) { try Gzip.decompress(bytes, limit: 100) }
        }
    }
}
