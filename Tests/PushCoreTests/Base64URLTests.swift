import PushCore
import Testing

@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("\u{FB}\u{FF}", "w7vDvw"), ("???>>>", "Pz8_Pj4-"),
    ])
    func `bytes encode to one text, which decodes to the same bytes`(bytes: String, text: String) {
        #expect(Base64URL.encode(bytes.utf8) == text)
        #expect(Base64URL.decode(text.utf8) == Array(bytes.utf8))
    }

    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("???>>>", "Pz8/Pj4+")])
    func `the standard alphabet has padding`(bytes: String, text: String) {
        #expect(Base64URL.encodeStandard(bytes.utf8) == text)
        #expect(Base64URL.decodeAny(text.utf8) == Array(bytes.utf8))
    }

    @Test(arguments: ["A", "AAAAA", "Zg==", "Zh", "Zm9", "a+b/", "Zm 8", "é"])
    func `any other text is refused`(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test func `random bytes survive encoding and decoding`() {
        var generator = Random(seed: 1)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
        }
    }
}
