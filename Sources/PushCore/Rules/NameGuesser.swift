/// Known names, and a guess at which of them a misspelled one stands for.
package struct NameGuesser: Sendable {
    private let known: [(name: String, letters: [UInt8])]
    /// The first characters of the known names: one bit for each letter, and one for all digits. A name that starts
    /// with another character resembles no known name.
    private let firstLetters: UInt32

    /// The longest name that is looked at, in bytes.
    private static let maxLength = 40
    /// The shortest name, in letters and digits, that may differ from a known name in one letter. Shorter names resemble
    /// each other by chance.
    private let minLength: Int

    /// - Parameter minLength: see the property `minLength`. It can be smaller for an object in which every unknown name
    ///   is a mistake.
    package init(_ names: [String], minLength: Int = 6) {
        self.minLength = minLength
        known = names.map { ($0, Self.letters(of: $0)) }
        firstLetters = names.reduce(0) { $0 | Self.firstLetter(of: $1) }
    }

    /// The known name that differs from `name` only in case and separators, or else in one letter. Nil if `name` is
    /// itself known, or resembles no known name.
    package func guess(_ name: String) -> String? {
        guard firstLetters & Self.firstLetter(of: name) != 0, name.utf8.count <= Self.maxLength,
            !known.contains(where: { $0.name == name })
        else { return nil }
        let letters = Self.letters(of: name)
        if let same = known.first(where: { $0.letters == letters }) { return same.name }
        guard letters.count >= minLength else { return nil }
        let near = known.filter { $0.letters.count >= minLength && Self.differsInOneLetter(letters, $0.letters) }
        // Unregistered is Apple's word and UNREGISTERED Google's, so the case matters.
        func begins(_ candidate: String) -> Int { zip(candidate.utf8, name.utf8).prefix { $0 == $1 }.count }
        return near.max { begins($0.name) < begins($1.name) }?.name
    }

    /// The same for a name in UTF-8. Allocates nothing if no known name starts with the same letter.
    package func guess(utf8 name: ArraySlice<UInt8>?) -> String? {
        guard let name, let first = name.first, firstLetters & Self.bit(of: first) != 0, name.count <= Self.maxLength,
            !known.contains(where: { $0.name.utf8.elementsEqual(name) })
        else { return nil }
        return guess(String(decoding: name, as: UTF8.self))
    }

    /// Names that people give to the key of an image or another media file.
    private static let mediaNames: Set<[UInt8]> = Set(
        [
            "image", "imageurl", "imageuri", "imagelink", "img", "imgurl", "picture", "pictureurl", "photo", "photourl",
            "media", "mediaurl", "attachment", "attachmenturl", "mediaattachment", "richmedia", "richmediaurl",
            "dataimage",
        ].map { Array($0.utf8) })

    /// Whether the name is one that people give to the key of a media file, and the value is a URL.
    package static func isMedia(_ name: String, _ value: String?) -> Bool {
        // The value is compared first, because that allocates nothing and rules out nearly everything.
        guard let value, value.utf8.count > 8, zip(value.utf8, "http".utf8).allSatisfy({ $0 | 0x20 == $1 }),
            value.includes("://"), name.utf8.count <= maxLength
        else { return false }
        return mediaNames.contains(letters(of: name))
    }

    private static func firstLetter(of name: String) -> UInt32 {
        name.utf8.first.map(bit) ?? 0
    }

    private static func bit(of letter: UInt8) -> UInt32 {
        if 0x30...0x39 ~= letter { return 1 }
        return UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter | 0x20 ? 1 << UInt32(letter & 31) : 0
    }

    /// The letters and digits, in lower case.
    private static func letters(of name: String) -> [UInt8] {
        name.lowercased().utf8.filter { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || 0x30...0x39 ~= $0 }
    }

    /// Whether one letter was added, left out or replaced, or two neighbors were swapped.
    private static func differsInOneLetter(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one[start...].reversed(), other[start...].reversed()).prefix { $0 == $1 }.count
        let (left, right) = (one[start..<(one.count - end)], other[start..<(other.count - end)])
        return left.count <= 1 && right.count <= 1 || left.count == 2 && left.reversed().elementsEqual(right)
    }
}
