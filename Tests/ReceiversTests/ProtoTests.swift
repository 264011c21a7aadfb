import Testing

@testable import Receivers

struct ProtoTests {
    private func fields(_ bytes: [UInt8]) throws -> [String] {
        var reader = ProtoReader(bytes[...])
        var found: [String] = []
        while let (number, value) = try reader.next() {
            switch value {
            case .varint(let value): found.append("\(number)=\(value)")
            case .fixed64(let value): found.append("\(number)=\(value)f")
            case .bytes(let bytes): found.append("\(number)='\(String(decoding: bytes, as: UTF8.self))'")
            case .other: found.append("\(number)?")
            }
        }
        return found
    }

    @Test func `what is written is read again`() throws {
        var writer = ProtoWriter()
        writer.number(1, 0)
        writer.number(2, .max)
        writer.fixed(7, 0x0102_0304_0506_0708)
        writer.text(300, "text")
        writer.message(4) { $0.number(1, 127) }
        writer.bytes(5, [])
        let expected = [
            "1=0", "2=\(UInt64.max)", "7=\(0x0102_0304_0506_0708)f", "300='text'", "4='\u{8}\u{7f}'", "5=''",
        ]
        #expect(try fields(writer.bytes) == expected)
    }

    @Test func `a field of an unused type is passed over`() throws {
        #expect(try fields([0x0D, 1, 2, 3, 4, 0x10, 5]) == ["1?", "2=5"])
    }

    /// Each is damaged: cut off, with the number 0, with a group, or with a number of more than 64 bits.
    @Test(
        arguments: [
            [0x08], [0x08, 0x80], [0x09, 1, 2], [0x0A, 5, 1], [0x0D, 1], [0x00, 1], [0x0B], [0x0C], [0x0E], [0x0F],
            [0x08] + [UInt8](repeating: 0xFF, count: 10), [0x08] + [UInt8](repeating: 0x80, count: 9) + [2],
            [0x0A] + [UInt8](repeating: 0xFF, count: 9) + [1], [UInt8](repeating: 0xFF, count: 9) + [1],
        ] as [[UInt8]])
    func `damaged messages are refused`(bytes: [UInt8]) {
        #expect(throws: ProtoReader.Damage.self) { try fields(bytes) }
    }

    @Test func `no start of a message crashes the reader`() {
        var writer = ProtoWriter()
        writer.number(1, 1 << 40)
        writer.fixed(2, 7)
        writer.text(3, "abc")
        for count in 0..<writer.bytes.count { _ = try? fields(Array(writer.bytes.prefix(count))) }
    }
}
