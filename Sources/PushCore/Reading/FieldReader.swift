package import JSON

/// Reads the members of a JSON object by name, and refuses unknown members.
package struct FieldReader {
    private let json: JSONView
    package let pointer: String
    private var known: [String] = []

    package init(_ json: JSONView, at pointer: String) throws(ControlProblem) {
        guard json.kind == .object else { throw .bad("This must be an object.", at: pointer) }
        self.json = json
        self.pointer = pointer
    }

    /// The value of a member; nil if it is missing or null.
    package mutating func value(_ key: String) -> JSONView? {
        known.append(key)
        guard let value = json[key], !value.isNull else { return nil }
        return value
    }

    package func kind(of key: String) -> JSONKind? { json[key]?.kind }

    package mutating func string(_ key: String) throws(ControlProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw problem(key, "must be a string") }
        return text
    }

    package mutating func bool(_ key: String) throws(ControlProblem) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let flag = value.bool else { throw problem(key, "must be true or false") }
        return flag
    }

    package mutating func int(_ key: String, _ range: ClosedRange<Int>) throws(ControlProblem) -> Int? {
        guard let value = value(key) else { return nil }
        guard let number = value.exactInteger.map(Int.init), range.contains(number) else {
            throw problem(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package mutating func double(_ key: String, _ range: ClosedRange<Double>) throws(ControlProblem) -> Double? {
        guard let value = value(key) else { return nil }
        guard value.kind == .number, let number = value.double, range.contains(number) else {
            throw problem(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package mutating func duration(_ key: String) throws(ControlProblem) -> UInt64? {
        guard let value = value(key) else { return nil }
        let text = value.string ?? ""
        guard let milliseconds = DurationText.milliseconds(text) else {
            throw problem(key, "must be a duration such as 250ms, 5s, 1m or 1h")
        }
        return milliseconds
    }

    package mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ type: Word.Type
    ) throws(ControlProblem) -> Word? {
        guard let text = try string(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw problem(key, notOneOf: Word.allCases.map(\.rawValue))
        }
        return word
    }

    package mutating func strings(_ key: String) throws(ControlProblem) -> [String]? {
        guard let value = value(key) else { return nil }
        let texts = value.elements.compactMap(\.string)
        guard value.kind == .array, texts.count == value.count else {
            throw problem(key, "must be an array of strings")
        }
        return texts
    }

    /// Refuses members that were not read. Call it after reading all known members.
    package func end() throws(ControlProblem) { try refuseUnknown(besides: known) }

    /// Refuses members with other names than these.
    package func refuseUnknown(besides known: [String]) throws(ControlProblem) {
        for (key, _) in json.members where !known.contains(where: key.equals) {
            throw .unknown(key.shortened, among: known, at: pointer + Self.escaped(key.shortened))
        }
    }

    /// The name as one step of a JSON pointer (RFC 6901).
    package static func escaped(_ key: String) -> String {
        "/" + String(key.flatMap { $0 == "~" ? Array("~0") : $0 == "/" ? Array("~1") : [$0] })
    }

    /// An error about a member. It shows the value if the demand says what the value must be.
    package func problem(_ key: String, _ demand: String) -> ControlProblem {
        let value = demand.hasPrefix("must be ") ? json[key].flatMap { $0.isNull ? nil : $0 } : nil
        return .bad("'\(key)' \(demand)\(value.map { "; it is \($0.briefly)" } ?? "").", at: "\(pointer)/\(key)")
    }

    /// An error about a word that is not in `words`. The list comes last, because it can be long.
    package func problem(_ key: String, notOneOf words: [String]) -> ControlProblem {
        let guess = json[key]?.string.flatMap { ControlProblem.guess($0, words) }.map { " \($0)" } ?? ""
        return .bad(
            "'\(key)' is \(json[key]?.briefly ?? "missing").\(guess) It must be one of \(words.joined(separator: ", ")).",
            at: "\(pointer)/\(key)")
    }
}
