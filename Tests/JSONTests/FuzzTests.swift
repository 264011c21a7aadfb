import JSON
import TestSupport
import Testing

struct FuzzTests {
    private static let seeds = [
        "{\"aps\":{\"alert\":{\"title\":\"\\ud83d\\ude39 Grüße\",\"body\":\"a\\nb\"},\"badge\":1,\"x\":[1.5e3,-0,null,true,false]}}",
        "[[[[]]],{\"\":{\"\":[\"\\uD800\",\"\\\\\",1e-7]}}]",
        "{\"message\":{\"token\":\"abc\",\"data\":{\"k\":\"v\",\"k\":\"w\"}}}", "-12.50E+01", "\"👟\\u0000\"",
    ].map { Array($0.utf8) }
    private static let characters =
        Array("{}[]\",:\\u0eE+-.dD8 \n/".utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a damaged text never traps, and an accepted one survives a round trip`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<250 {
            var bytes = Self.seeds.randomElement(using: &generator) ?? []
            for _ in 0...Int.random(in: 0...2, using: &generator) { damage(&bytes, &generator) }
            do throws(JSONError) {
                let value = JSONValue(try JSONDocument(parsing: bytes).root)
                accepted += 1
                var writer = JSONWriter(.pretty)
                writer.value(value)
                #expect(try JSONValue(JSONDocument(parsing: writer.finish()).root) == value, "\(bytes)")
            } catch {
                #expect((0...bytes.count).contains(error.offset), "\(bytes)")
                #expect(!error.sentence(in: bytes).isEmpty)
                checkPrefix(bytes, error)
            }
        }
        #expect((1..<250).contains(accepted))
    }

    /// Checks that the bytes before the offset were valid: cut there, the text parses or ends too early.
    private func checkPrefix(_ bytes: [UInt8], _ error: JSONError) {
        guard error.reason != .byteOrderMark else { return }
        do throws(JSONError) {
            _ = try JSONDocument(parsing: Array(bytes[..<error.offset]))
        } catch {
            #expect(error.isAtEnd, "\(bytes)")
        }
    }

    private func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let character = Self.characters.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0...3, using: &generator) {
        case 0: bytes.insert(character, at: place)
        case 1 where place < bytes.count: bytes[place] = character
        case 2 where place < bytes.count: bytes.remove(at: place)
        default: bytes.removeSubrange(min(place + 3, bytes.count)...)
        }
    }
}
