internal import JSON
internal import PushCore
internal import PushEngine

/// The filters of `pushpit expect`: those of one push or event, or of several in order. In a sequence, the word `then`
/// separates them.
struct ExpectFilters {
    /// One filter.
    private struct Condition {
        let name: String
        let value: String
        /// `prefix` or `regex` if the value does not stand for the whole text.
        let part: String?

        /// Nil if the word is not `NAME=VALUE`, `NAME^=VALUE` or `NAME~=VALUE`. No name ends in `^` or `~`: in a JSON
        /// pointer, 0 or 1 follows a `~`.
        init?(_ word: String) {
            guard let equals = word.firstIndex(of: "=") else { return nil }
            let name = word[..<equals]
            part = name.hasSuffix("^") ? "prefix" : name.hasSuffix("~") ? "regex" : nil
            self.name = String(part == nil ? name : name.dropLast())
            value = String(word[word.index(after: equals)...])
        }

        func write(_ name: String, to json: inout JSONWriter) {
            guard let part else { return json.member(name, value) }
            json.key(name)
            json.object { $0.member(part, value) }
        }
    }

    /// A member of `match`, and which names it has.
    private enum Group: CaseIterable {
        case field, header, body, event, eventData

        /// The name within the group; nil if the name belongs to another group.
        func inner(_ name: String) -> String? {
            switch self {
            case .field: MessageFilter.names.contains(name) ? name : nil
            case .header: Self.rest(name, after: "header:")
            case .body: name.hasPrefix("/") ? name : nil
            case .event:
                name == "event" ? "kind" : Self.eventNames.contains(name) ? Self.rest(name, after: "event:") : nil
            case .eventData: name.hasPrefix("event:/") ? Self.rest(name, after: "event:") : nil
            }
        }

        private static let eventNames = ["event:device", "event:why"]

        private static func rest(_ name: String, after prefix: String) -> String? {
            name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
        }
    }

    /// Stands between the filters of a sequence.
    static let separator = "then"

    private var filters: [[Condition]] = []
    var isSequence: Bool { filters.count > 1 }

    init(_ words: [String]) throws(ExitFailure) {
        for part in words.split(separator: Self.separator, omittingEmptySubsequences: false) {
            if part.isEmpty, words.contains(Self.separator) {
                throw .usage("'\(Self.separator)' must stand between two filters", .expect)
            }
            filters.append(try Self.conditions(part))
        }
    }

    /// Filters whose value must not be empty: no push and no event has an empty one.
    private static let neverEmpty = ["app", "device", "token", "topic", "event:device"]

    private static func conditions(_ words: ArraySlice<String>) throws(ExitFailure) -> [Condition] {
        var found: [Condition] = []
        for word in words {
            guard let condition = Condition(word) else {
                throw .usage(
                    "'\(word)' is not a filter: write NAME=VALUE, like app=com.example.app or /aps/alert/title=Hello",
                    .expect)
            }
            let name = condition.name
            guard !found.contains(where: { $0.name == name }) else {
                throw .usage("'\(name)' is given twice, but a push has to match all filters", .expect)
            }
            guard Group.allCases.contains(where: { $0.inner(name) != nil }) else {
                let names = MessageFilter.names.joined(separator: ", ")
                let guess =
                    NameGuesser(MessageFilter.names + ["event"], minLength: 4).guess(name)
                    .map { ". Did you mean \($0)? Use" } ?? ": use"
                throw .usage(
                    "'\(name)' is not a filter\(guess) one of \(names), a JSON pointer like /aps/alert/title, header:NAME, "
                        + "event, event:device, event:why, or event: and a JSON pointer", .expect)
            }
            guard !condition.value.isEmpty || !neverEmpty.contains(name) else {
                throw .usage("'\(word)' has no value: is a variable of the shell not set?", .expect)
            }
            found.append(condition)
        }
        if !found.isEmpty, found.contains(where: { $0.name.hasPrefix("event:") }),
            !found.contains(where: { $0.name == "event" })
        {
            throw .usage("an event needs its kind, like event=presented", .expect)
        }
        return found
    }

    /// Writes the member `match` or `sequence`.
    func write(to json: inout JSONWriter) {
        guard isSequence else {
            json.key("match")
            return json.object { Self.write(filters[0], to: &$0) }
        }
        json.key("sequence")
        json.array { json in
            for filter in filters { json.object { Self.write(filter, to: &$0) } }
        }
    }

    private static func write(_ conditions: [Condition], to json: inout JSONWriter) {
        write(.field, conditions, to: &json)
        for (member, group) in [("headers", Group.header), ("bodyText", .body)] where has(group, conditions) {
            json.key(member)
            json.object { write(group, conditions, to: &$0) }
        }
        guard has(.event, conditions) else { return }
        json.key("event")
        json.object { json in
            write(.event, conditions, to: &json)
            guard has(.eventData, conditions) else { return }
            json.key("dataText")
            json.object { write(.eventData, conditions, to: &$0) }
        }
    }

    private static func has(_ group: Group, _ conditions: [Condition]) -> Bool {
        conditions.contains { group.inner($0.name) != nil }
    }

    private static func write(_ group: Group, _ conditions: [Condition], to json: inout JSONWriter) {
        for condition in conditions {
            if let name = group.inner(condition.name) { condition.write(name, to: &json) }
        }
    }
}
