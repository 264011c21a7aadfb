import HTTPCore
import Testing

@Suite struct SpanTests {
    private func count(of byte: UInt8, in bytes: [UInt8]) -> Int { bytes.span.count(of: byte) }
    private func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool { one.span.equals(other) }
    private func firstIndex(of byte: UInt8, in bytes: [UInt8]) -> Int? { bytes.span.firstIndex(of: byte) }
    private func hasPrefix(_ bytes: [UInt8], _ prefix: [UInt8]) -> Bool { bytes.span.starts(with: prefix) }
    private func text(_ bytes: [UInt8]) -> String { bytes.span.text }

    /// Lengths around the 255 bytes that are counted at a time.
    @Test(arguments: [0, 1, 254, 255, 256, 510, 511, 2000])
    func `bytes are counted in spans of any length`(length: Int) {
        let equal = Array(repeating: UInt8(7), count: length)
        #expect(count(of: 7, in: equal) == length)
        #expect(count(of: 8, in: equal) == 0)
        #expect(count(of: 2, in: (0..<length).map { UInt8($0 % 3) }) == length / 3)
    }

    @Test func `spans are equal if their lengths and all of their bytes are`() {
        let bytes: [UInt8] = Array(0..<100)
        #expect(equal(bytes, bytes))
        #expect(equal(bytes, Array(0..<100)))
        #expect(equal([], []))
        #expect(!equal(bytes, bytes + [0]))
        for index in [0, 50, 99] {
            var other = bytes
            other[index] ^= 0x80
            #expect(!equal(bytes, other))
        }
    }

    @Test func `a byte and a prefix are found`() {
        let bytes: [UInt8] = [1, 2, 3, 2]
        #expect(firstIndex(of: 2, in: bytes) == 1)
        #expect(firstIndex(of: 4, in: bytes) == nil)
        #expect(hasPrefix(bytes, []))
        #expect(hasPrefix(bytes, bytes))
        #expect(!hasPrefix(bytes, [1, 3]))
        #expect(!hasPrefix(bytes, bytes + [1]))
    }

    @Test func `text has U+FFFD for bytes that are not UTF-8`() {
        #expect(text(Array("grün".utf8)) == "grün")
        #expect(text([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
    }
}
