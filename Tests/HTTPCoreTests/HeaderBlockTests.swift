import HTTPCore
import Testing

@Suite struct HeaderBlockTests {
    @Test func `fields keep their order and first returns the first of a name`() {
        let block = HeaderBlock([.path: "/3/device/00?x=1", .host: "a", .host: "b"])
        #expect(block.count == 3)
        #expect(text(block.first(.host)) == "a")
        #expect(block.count(of: .host) == 2)
        #expect(block.first(.authority) == nil)
        #expect(fields(of: block) == [":path=/3/device/00?x=1", "host=a", "host=b"])
    }

    @Test func `the list size has 32 bytes for each field and all bytes of names and values`() {
        #expect(HeaderBlock().listSize == 0)
        let block = HeaderBlock([.path: "/3/device/00?x=1", .host: "a", .host: ""])
        #expect(block.listSize == 5 + 16 + 4 + 1 + 4 + 0 + 3 * 32)
    }

    @Test func `every way to append a field gives the same block`() {
        let name = Array("x-y".utf8)
        let value = Array("value".utf8)
        var blocks = Array(repeating: HeaderBlock([.host: "a"]), count: 5)
        blocks[0].append(HeaderName("X-Y"), "value")
        blocks[1].append(name[...], value[...])
        blocks[2].append(HeaderName("x-y"), value[...])
        blocks[3].append(HeaderName("x-y"), valueCount: 5) { $0.append(value.span) }
        blocks[4].append(nameCount: 3, valueCount: 5) { output in
            output.append(name.span)
            output.append(value.span)
        }
        for block in blocks {
            #expect(fields(of: block) == ["host=a", "x-y=value"])
            #expect(block == blocks[0])
        }
    }

    @Test func `a name is found among others with the same length and last byte`() {
        // All three have the same quickKey.
        let block = HeaderBlock([HeaderName("x-aab"): "1", HeaderName("x-bab"): "2", HeaderName("y-aab"): "3"])
        #expect(Set(block.places.map(\.quickKey)).count == 1)
        #expect(text(block.first(HeaderName("x-bab"))) == "2")
        #expect(text(block.first(HeaderName("y-aab"))) == "3")
        #expect(block.first(HeaderName("z-aab")) == nil)
        #expect(block.count(of: HeaderName("x-bab")) == 1)
    }

    @Test func `an empty name and an empty value are kept`() {
        var block = HeaderBlock()
        block.append([], [])
        block.append(.date, "")
        #expect(fields(of: block) == ["=", "date="])
        #expect(block.range(of: .date) == 4..<4)
    }

    @Test func `a block made like another has its fields and new bytes`() {
        let template = HeaderBlock([.date: "00:00:00", .host: "a"])
        let block = HeaderBlock(like: template) { bytes in bytes[template.range(of: .date)!.lowerBound] = 0x32 }
        #expect(fields(of: block) == ["date=20:00:00", "host=a"])
        #expect(fields(of: template) == ["date=00:00:00", "host=a"])
        #expect(block != template)
    }

    @Test func `blocks differ if the same bytes are divided into other fields`() {
        let bytes = Array("abcd".utf8)
        let one = HeaderBlock(storage: bytes, places: [.init(last: 0x61, nameStart: 0, nameCount: 1, valueCount: 3)])
        let other = HeaderBlock(storage: bytes, places: [.init(last: 0x62, nameStart: 0, nameCount: 2, valueCount: 2)])
        #expect(fields(of: one) == ["a=bcd"])
        #expect(fields(of: other) == ["ab=cd"])
        #expect(one != other)
        #expect(one == HeaderBlock([HeaderName("a"): "bcd"]))
    }

    @Test func `appending fewer bytes than announced traps`() async {
        await #expect(processExitsWith: .failure) {
            var block = HeaderBlock()
            block.append(nameCount: 3, valueCount: 5) { $0.append(0x61) }
        }
    }

    private func text(_ value: ArraySlice<UInt8>?) -> String? { value.map { String(decoding: $0, as: UTF8.self) } }

    private func fields(of block: HeaderBlock) -> [String] {
        block.map { String(decoding: $0.name, as: UTF8.self) + "=" + String(decoding: $0.value, as: UTF8.self) }
    }
}
