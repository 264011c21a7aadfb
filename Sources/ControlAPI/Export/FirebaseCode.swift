internal import JSON
internal import PushCore
internal import PushEngine

/// Writes a message as objects of firebase-admin.
struct FirebaseCode {
    let id: PushID
    let language = ProgramLanguage.python

    init(id: PushID) { self.id = id }

    func unable(_ pointer: String) -> ControlProblem {
        ControlProblem(
            status: 409, code: "conflict",
            message:
                "firebase-admin for Python can't send what \(id) has at \(pointer.prefix(200)) exactly as it was. Use as=curl."
        )
    }

    /// - Parameters:
    ///   - pointer: where the object is in the message.
    ///   - level: how far its line is indented.
    func object(
        _ value: JSONView, _ type: FirebaseClass, _ pointer: String, _ level: Int
    ) throws(ControlProblem) -> String {
        guard value.kind == .object else { throw unable(pointer) }
        var (arguments, others): ([String], [String]) = ([], [])
        var seen: Set<String> = []
        for (key, member) in value.members {
            let (name, place) = (key.string ?? "", "\(pointer)\(FieldReader.escaped(key.string ?? ""))")
            guard !key.hasLoneSurrogate, seen.insert(type.rest == nil ? Self.snake(name) : name).inserted else {
                throw unable(place)
            }
            let field = type.fields.first { $0.name == name || type.rest == nil && $0.name == Self.snake(name) }
            // A member of a message that is null counts as absent.
            if member.isNull, type.rest == nil { continue }
            if let field, let code = try argument(member, field.kind, place, level &+ 1) {
                arguments.append("\(field.argument)=\(code)")
            } else if type.rest != nil, field == nil || type.name == "ApsAlert" || field?.kind.isKindOne == true {
                others.append(
                    "\(language.quoted(name)): \(try json(member, place, level &+ (type.rest == .keywords ? 1 : 2)))")
            } else {
                throw unable(place)
            }
        }
        if type.name == "APNSPayload", value["aps"] == nil { arguments.append("aps=messaging.Aps()") }
        if !others.isEmpty {
            switch type.rest {
            case .customData: arguments.append("custom_data=\(language.block("{", others, "}", at: level &+ 1))")
            case .keywords: arguments.append("**\(language.block("{", others, "}", at: level &+ 1))")
            case nil: break
            }
        }
        return language.block("messaging.\(type.name)(", arguments, ")", at: level)
    }

    /// Any JSON. firebase-admin leaves out what is null or empty.
    private func json(_ value: JSONView, _ pointer: String, _ level: Int) throws(ControlProblem) -> String {
        let isEmpty = value.isNull || [.array, .object].contains(value.kind) && value.count == 0
        guard !isEmpty, let code = language.literal(value, at: level) else { throw unable(pointer) }
        return code
    }

    /// Nil if the value is not of this kind.
    private func argument(
        _ value: JSONView, _ kind: FirebaseClass.Kind, _ pointer: String, _ level: Int
    ) throws(ControlProblem) -> String? {
        switch kind {
        case .text: text(value)
        case .word(let words, let prefix):
            value.string.flatMap { text in
                let word = (text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text).lowercased()
                return words.contains(word) ? language.quoted(word) : nil
            }
        case .texts:
            value.kind == .array && value.elements.allSatisfy { text($0) != nil }
                ? language.literal(value, at: level) : nil
        case .textMap:
            value.kind == .object && value.members.allSatisfy { text($0.value) != nil && !$0.key.hasLoneSurrogate }
                ? language.literal(value, at: level) : nil
        case .flag: value.bool.map { $0 ? "True" : "False" }
        case .one: value.numberText.map(Array.init) == [UInt8(ascii: "1")] ? "True" : nil
        case .number: value.kind == .number ? language.literal(value, at: level) : nil
        case .json: try json(value, pointer, level)
        case .object(let type): try object(value, type(), pointer, level)
        case .objects(let type):
            value.kind == .array ? try objects(value, type(), pointer, level) : nil
        case .textOr(let type):
            value.kind == .object ? try object(value, type(), pointer, level) : value.count == 0 ? text(value) : nil
        case .seconds: microseconds(value).map { Self.decimal($0, unit: 1_000_000) }
        case .milliseconds: microseconds(value).map { Self.decimal($0, unit: 1000) }
        case .listOfMilliseconds:
            value.kind == .array
                ? list(value.elements.map { microseconds($0).map { Self.decimal($0, unit: 1000) } }) : nil
        case .time:
            value.string.flatMap { Timestamp(parsing: $0) }.map {
                "datetime.datetime.fromtimestamp(\(Self.decimal($0.milliseconds, unit: 1000)), datetime.timezone.utc)"
            }
        case .color: color(value)
        }
    }

    private func objects(
        _ value: JSONView, _ type: FirebaseClass, _ pointer: String, _ level: Int
    ) throws(ControlProblem) -> String {
        var items: [String] = []
        for element in value.elements {
            items.append(try object(element, type, "\(pointer)/\(items.count)", level &+ 1))
        }
        return language.block("[", items, "]", at: level)
    }
}

extension FirebaseClass.Kind {
    /// Whether this is the kind `one`, whose values other than 1 go into `rest` unchanged.
    fileprivate var isKindOne: Bool { if case .one = self { true } else { false } }
}
