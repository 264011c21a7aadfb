import HTTPCore
import Testing

@Suite struct SpanTests {
    /// Lengths around the 255 bytes that are counted at a time.
    @Test(arguments: [0, 1, 254, 255, 256, 510, 511, 2000])
    func `bytes are counted in spans of any length`(count: Int) {
        #expect(Array(repeating: UInt8(7), count: count).span.count(of: 7) == count)
        #expect(Array(repeating: UInt8(7), count: count).span.count(of: 8) == 0)
        let mixed = (0..<count).map { UInt8($0 % 3) }
        #expect(mixed.span.count(of: 2) == count / 3)
    }

    @Test func `spans are equal if length and all bytes are`() {
        let bytes: [UInt8] = Array(0..<100)
        #expect(bytes.span.equals(bytes.span))
        #expect(bytes.span.equals(bytes + []))
        #expect(!bytes.span.equals(bytes + [0]))
        for index in [0, 50, 99] {
            var other = bytes
            other[index] ^= 0x80
            #expect(!bytes.span.equals(other))
        }
    }

    @Test func `a byte and a prefix are found`() {
        let bytes: [UInt8] = [1, 2, 3, 2]
        #expect(bytes.span.firstIndex(of: 2) == 1)
        #expect(bytes.span.firstIndex(of: 4) == nil)
        #expect(bytes.span.starts(with: []))
        #expect(bytes.span.starts(with: [1, 2, 3, 2]))
        #expect(!bytes.span.starts(with: [1, 3]))
        #expect(!bytes.span.starts(with: [1, 2, 3, 2, 1]))
    }

    @Test func `text has U+FFFD for bytes that are not UTF-8`() {
        #expect(Array("grün".utf8).span.text == "grün")
        #expect(([0x61, 0xFF, 0x62] as [UInt8]).span.text == "a\u{FFFD}b")
    }
}
