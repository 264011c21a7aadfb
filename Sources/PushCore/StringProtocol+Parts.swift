/// Swift's own substring search would bring its library of regular expressions into the program, which is a megabyte of
/// code. `build_release` in scripts/lib.sh leaves that library out.
extension StringProtocol {
    /// The index of the first occurrence of `text`; nil if it does not occur.
    package func place(of text: String) -> Index? {
        guard let first = text.utf8.first else { return startIndex }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: text.utf8) { return start }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Splits the string at the occurrences of `text`, at most `maxSplits` times. The last piece is the rest.
    package func pieces(separatedBy text: String, maxSplits: Int = .max) -> [SubSequence] {
        var pieces: [SubSequence] = []
        var rest = self[...]
        while pieces.count < maxSplits, !text.isEmpty, let start = rest.place(of: text) {
            pieces.append(rest[..<start])
            rest = rest[rest.utf8.index(start, offsetBy: text.utf8.count)...]
        }
        return pieces + [rest]
    }

    package func includes(_ text: String) -> Bool { place(of: text) != nil }
}
