import HTTPCore
import Testing

@Suite struct HeaderNameTests {
    @Test(arguments: ["", "a", "Content-Type", String(repeating: "Ab", count: 20)])
    func `a name is kept in lower case and matches only itself`(text: String) {
        let name = HeaderName(text)
        let bytes = Array(text.lowercased().utf8)
        #expect(name.bytes == bytes)
        #expect(name.count == bytes.count)
        func matches(_ bytes: [UInt8]) -> Bool { name.matches(bytes.span) }
        #expect(matches(bytes))
        #expect(!matches(bytes + [0x61]))
        // The unused part of the inline storage must not count as part of the name.
        #expect(!matches(bytes + [0]))
        if !bytes.isEmpty {
            #expect(!matches(Array(bytes.dropLast())))
            #expect(!matches([bytes[0] ^ 1] + bytes.dropFirst()))
        }
        let written = [UInt8](capacity: 40) { name.append(to: &$0) }
        #expect(written == bytes)
    }

    @Test func `a name of 41 bytes traps`() async {
        await #expect(processExitsWith: .failure) { _ = HeaderName(String(repeating: "a", count: 41)) }
    }
}
