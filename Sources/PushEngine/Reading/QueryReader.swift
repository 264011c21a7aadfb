internal import FCM
package import HTTPCore
internal import PushCore

/// The parameters of a call's query, each read by its name.
package struct QueryReader {
    private var fields: [(name: String, value: String)] = []
    private static let mostLimit = 1000

    package init(_ request: Request) {
        guard
            let query = request.target.split(
                separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false
            ).dropFirst().first
        else { return }
        fields = PercentCode.pairs(query)
    }

    /// Nil where it is absent.
    package func text(_ name: String) -> String? {
        return fields.last { $0.name == name }?.value
    }

    /// Those that point into a body.
    var pointers: [(name: String, value: String)] { fields.filter { $0.name.hasPrefix("/") } }

    package func number(_ name: String, _ range: ClosedRange<Int>) throws(ControlProblem) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Self.bad("'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    package func flag(_ name: String) throws(ControlProblem) -> Bool? {
        guard let text = text(name) else { return nil }
        guard let flag = ["true": true, "false": false][text] else {
            throw Self.bad("'\(name)' must be true or false.")
        }
        return flag
    }

    package func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Word.Type)
        throws(ControlProblem)
        -> Word?
    {
        guard let text = text(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw Self.bad("'\(name)' must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return word
    }

    /// Which part of a list is asked for.
    package func page() throws(ControlProblem) -> ControlPage {
        ControlPage(
            limit: try number("limit", 1...Self.mostLimit) ?? 50, start: try number("cursor", 0...(1 << 53)) ?? 0)
    }

    /// What nobody asks for is an error; a name that begins with a slash is a JSON pointer.
    package func check(_ known: [String]) throws(ControlProblem) {
        var seen: Set<String> = []
        for (name, _) in fields where !seen.insert(name).inserted {
            throw Self.bad("'\(name.prefix(100))' is given twice.")
        }
        for (name, _) in fields where !known.contains(name) && !(known.contains(Self.pointer) && name.hasPrefix("/")) {
            let names = known.joined(separator: ", ")
            throw Self.bad(
                "'\(name.prefix(100))' is not known here: \(names.isEmpty ? "this call has no query" : "take one of \(names)")."
            )
        }
    }

    /// Stands for every JSON pointer.
    package static let pointer = "/…"

    package static func bad(_ message: String) -> ControlProblem {
        ControlProblem(status: 400, code: "badQuery", message: message)
    }
}

/// Part of a list.
package struct ControlPage {
    package let limit: Int
    package let start: Int

    /// Where the next page begins; nil on the last.
    package func next(of count: Int) -> String? { start + limit < count ? String(start + limit) : nil }
}
