package import PushCore

/// `'a' in topics && ('b' in topics || !('c' in topics))`: which devices a message is for (facts/fcm.md §3.1, documented:
/// five topics at most, parentheses first, then from left to right).
package struct TopicCondition: Sendable {
    private indirect enum Node: Sendable {
        case topic(String)
        case not(Node)
        case both(Node, Node)
        case either(Node, Node)
    }

    private let root: Node
    package let topics: [String]

    private static let most = 5
    private static let deepest = 32

    /// Nil for what is no condition.
    package init?(_ text: String) {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let root = reader.expression(depth: 0), reader.isAtEnd, 1...Self.most ~= reader.topics.count else {
            return nil
        }
        self.root = root
        topics = reader.topics
    }

    /// The devices for which it holds, told from those of each topic.
    package func members(_ subscribers: (String) -> PlaceSet) -> PlaceSet { Self.members(root, subscribers) }

    private static func members(_ node: Node, _ subscribers: (String) -> PlaceSet) -> PlaceSet {
        switch node {
        case .topic(let name): subscribers(name)
        case .not(let inner): members(inner, subscribers).inverted
        case .both(let one, let other): members(one, subscribers).intersection(members(other, subscribers))
        case .either(let one, let other): members(one, subscribers).union(members(other, subscribers))
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>
        var topics: [String] = []

        var isAtEnd: Bool { rest.allSatisfy { $0 == 0x20 } }

        mutating func expression(depth: Int) -> Node? {
            guard depth < TopicCondition.deepest, var node = term(depth: depth) else { return nil }
            while true {
                if take("&&") {
                    guard let next = term(depth: depth) else { return nil }
                    node = .both(node, next)
                } else if take("||") {
                    guard let next = term(depth: depth) else { return nil }
                    node = .either(node, next)
                } else {
                    return node
                }
            }
        }

        private mutating func term(depth: Int) -> Node? {
            var isNegated = false
            while take("!") { isNegated.toggle() }
            let node: Node?
            if take("(") {
                node = expression(depth: depth + 1)
                guard take(")") else { return nil }
            } else {
                node = topic()
            }
            return isNegated ? node.map(Node.not) : node
        }

        private mutating func topic() -> Node? {
            guard topics.count < TopicCondition.most, take("'") else { return nil }
            let name = rest.prefix(while: FCMSyntax.isTopicLetter)
            rest = rest.dropFirst(name.count)
            guard 1...900 ~= name.count, rest.first == UInt8(ascii: "'") else { return nil }
            rest = rest.dropFirst()
            guard take("in"), rest.first == 0x20, take("topics") else { return nil }
            topics.append(String(decoding: name, as: UTF8.self))
            return .topic(topics[topics.count - 1])
        }

        /// A token, with the blanks before it.
        private mutating func take(_ token: String) -> Bool {
            let text = rest.drop { $0 == 0x20 }
            guard text.starts(with: token.utf8) else { return false }
            rest = text.dropFirst(token.utf8.count)
            return true
        }
    }
}
