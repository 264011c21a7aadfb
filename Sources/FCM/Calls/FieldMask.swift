internal import JSON

/// The value of the query parameter `fields`: the members of an answer that the caller wants, as in `a,b(c,d/e)`
/// (docs/evidence/fcm.md §1.7).
struct FieldMask {
    private struct Node {
        var children: [String: Node] = [:]

        /// Everything below it is wanted.
        var isWhole: Bool { children.isEmpty || children["*"] != nil }

        mutating func insert(_ path: ArraySlice<String>) {
            guard let name = path.first else { return }
            children[name, default: Node()].insert(path.dropFirst())
        }
    }

    private let root: Node

    /// Our own limits. They bound the memory that a mask needs.
    private static let maximumLength = 2000
    private static let maximumDepth = 20

    /// Nil if the parentheses do not match, or if the mask is very long or deep.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var root = Node()
        /// The paths before each open parenthesis, the path that is being read, and its last name so far.
        var (outer, path, word): ([[String]], [String], String) = ([[]], [], "")
        func finishWord() {
            if !word.isEmpty { path.append(word) }
            word = ""
        }
        for character in text {
            switch character {
            case ".", "/": finishWord()
            case "(":
                finishWord()
                guard path.count <= Self.maximumDepth else { return nil }
                outer.append(path)
            case ",", ")":
                finishWord()
                root.insert(path[...])
                if character == ")" {
                    guard outer.count > 1 else { return nil }
                    outer.removeLast()
                }
                path = outer[outer.count - 1]
            default: word.append(character)
            }
            guard path.count <= Self.maximumDepth else { return nil }
        }
        finishWord()
        root.insert(path[...])
        guard outer.count == 1 else { return nil }
        self.root = root
    }

    /// The first path that an answer of this form cannot have; nil if the mask is valid.
    func unknownPath(in shape: AnswerShape) -> String? { Self.unknownPath(of: root, in: shape, []) }

    private static func unknownPath(of node: Node, in shape: AnswerShape, _ path: [String]) -> String? {
        for (name, child) in node.children.sorted(by: { $0.key < $1.key }) where name != "*" {
            guard let inner = shape[name] else { return (path + [name]).joined(separator: ".") }
            if let unknown = unknownPath(of: child, in: inner, path + [name]) { return unknown }
        }
        return nil
    }

    /// Writes the wanted members of an answer.
    func write(_ answer: JSONView, to json: inout JSONWriter) { Self.write(answer, root, to: &json) }

    private static func write(_ value: JSONView, _ node: Node, to json: inout JSONWriter) {
        if node.isWhole { return json.value(JSONValue(value)) }
        switch value.kind {
        case .array:
            json.array { json in for element in value.elements { write(element, node, to: &json) } }
        case .object:
            json.object { json in
                for (key, member) in value.members {
                    guard let name = key.string, let child = node.children[name] ?? node.children[snake(name)] else {
                        continue
                    }
                    json.key(name)
                    write(member, child, to: &json)
                }
            }
        case .null, .bool, .number, .string: json.value(JSONValue(value))
        }
    }

    /// The proto name of a member: `topicName` is `topic_name`.
    private static func snake(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}

/// The members that an answer of Google's APIs can have.
enum AnswerShape {
    case message(FCMSchema.MessageType)
    /// A page of topic subscriptions.
    case subscriptions
    /// A map or a structure, whose members can have any name.
    case anything
    /// A value without members, or an answer that is always empty.
    case nothing

    /// The form of a member; nil if there is no such member.
    subscript(name: String) -> AnswerShape? {
        switch self {
        case .anything: return .anything
        case .nothing: return nil
        case .subscriptions:
            switch name {
            case "topicSubscriptions", "topic_subscriptions": return .message(.topicSubscription)
            case "nextPageToken", "next_page_token": return .nothing
            default: return nil
            }
        case .message(let message):
            guard let index = FCMSchema.index(of: name.utf8Span.span, in: message) else { return nil }
            switch FCMSchema.field(index, of: message).type {
            case .message(let inner): return .message(inner)
            case .map, .structure: return .anything
            case .string, .bool, .int32, .float, .duration, .timestamp, .enumeration: return .nothing
            }
        }
    }
}
