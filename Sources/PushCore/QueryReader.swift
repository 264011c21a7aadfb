package import HTTPCore

/// Reads the query parameters of a call by name.
package struct QueryReader {
    private var fields: [(name: String, value: String)] = []
    private static let maxLimit = 1000

    package init(_ request: Request) {
        guard
            let query = request.target.split(
                separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false
            ).dropFirst().first
        else { return }
        fields = PercentCode.pairs(query)
    }

    /// The value of a parameter; nil if it is missing.
    package func text(_ name: String) -> String? {
        return fields.last { $0.name == name }?.value
    }

    /// The parameters whose names are JSON pointers into the body of a recorded push.
    package var pointers: [(name: String, value: String)] { fields.filter { $0.name.hasPrefix("/") } }

    package func number(_ name: String, _ range: ClosedRange<Int>) throws(ControlProblem) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Self.bad(
                "'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound); it is \(text.quoted)."
            )
        }
        return number
    }

    package func flag(_ name: String) throws(ControlProblem) -> Bool? {
        guard let text = text(name) else { return nil }
        guard let flag = ["true": true, "false": false][text] else {
            throw Self.bad("'\(name)' must be true or false; it is \(text.quoted).")
        }
        return flag
    }

    package func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Word.Type)
        throws(ControlProblem)
        -> Word?
    {
        guard let text = text(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue)
            let guess = ControlProblem.guess(text, words).map { " \($0)" } ?? ""
            throw Self.bad(
                "'\(name)' must be one of \(words.joined(separator: ", ")); it is \(text.quoted).\(guess)")
        }
        return word
    }

    /// The requested page of a list.
    package func page() throws(ControlProblem) -> ControlPage {
        ControlPage(limit: try number("limit", 1...Self.maxLimit) ?? 50, start: try cursor() ?? 0)
    }

    /// The maximum number of digits in a cursor.
    package static let longestCursor = 16

    private func cursor() throws(ControlProblem) -> Int? {
        guard let text = text("cursor") else { return nil }
        let isCursor = 1...Self.longestCursor ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        guard isCursor, let start = Int(text) else {
            throw Self.bad("'cursor' must be the value of 'next' on the previous page, which is a string of digits.")
        }
        return start
    }

    /// Refuses unknown and repeated parameters. A name that begins with a slash is a JSON pointer.
    package func check(_ known: [String]) throws(ControlProblem) {
        var seen: Set<String> = []
        for (name, _) in fields where !seen.insert(name).inserted {
            throw Self.bad("'\(name.prefix(100))' is given twice.")
        }
        for (name, _) in fields where !known.contains(name) && !(known.contains(Self.pointer) && name.hasPrefix("/")) {
            if known.isEmpty {
                throw Self.bad("\(name.quoted) is unknown. This call has no query parameters.")
            }
            throw Self.bad(ControlProblem.unknown(name, among: known, at: "").message)
        }
    }

    /// Stands for any JSON pointer in a list of known parameters.
    package static let pointer = "/…"

    package static func bad(_ message: String) -> ControlProblem {
        ControlProblem(status: 400, code: "badQuery", message: message)
    }
}

/// A page of a list.
package struct ControlPage {
    package let limit: Int
    package let start: Int

    package func slice<Elements: Collection>(of all: Elements) -> Elements.SubSequence {
        all.dropFirst(start).prefix(limit)
    }

    package func keys<Key>(of all: SortedKeys<Key>) -> [Key] { all.keys(from: start, atMost: limit) }

    /// The cursor of the next page; nil on the last page.
    package func next(of count: Int) -> String? { start + limit < count ? String(start + limit) : nil }
}
