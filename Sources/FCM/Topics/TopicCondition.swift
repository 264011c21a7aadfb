package import PushCore

/// A condition like `'a' in topics && ('b' in topics || !('c' in topics))`, which selects the devices of a message.
///
/// At most five topics. Parentheses are evaluated first, then all operators from left to right: `&&` does not bind
/// tighter than `||` (docs/evidence/fcm.md §3.1, documented).
package struct TopicCondition: Sendable {
    private indirect enum Node: Sendable {
        case topic(String)
        case not(Node)
        case both(Node, Node)
        case either(Node, Node)
    }

    private let root: Node
    package let topics: [String]

    private static let maximumTopics = 5
    private static let maximumDepth = 32

    /// Nil if the text is not a valid condition.
    package init?(_ text: String) {
        var parser = Parser(rest: Array(text.utf8)[...])
        guard let root = parser.expression(depth: 0), parser.isAtEnd, 1...Self.maximumTopics ~= parser.topics.count
        else {
            return nil
        }
        self.root = root
        topics = parser.topics
    }

    /// The devices for which the condition is true, computed from the subscribers of each topic.
    package func members(_ subscribers: (String) -> DeviceSet) -> DeviceSet { Self.members(root, subscribers) }

    private static func members(_ node: Node, _ subscribers: (String) -> DeviceSet) -> DeviceSet {
        switch node {
        case .topic(let name): subscribers(name)
        case .not(let inner): members(inner, subscribers).inverted
        case .both(let one, let other): members(one, subscribers).intersection(members(other, subscribers))
        case .either(let one, let other): members(one, subscribers).union(members(other, subscribers))
        }
    }

    /// Where and why a text is not a valid condition.
    static func fault(in text: String) -> String {
        var parser = Parser(rest: Array(text.utf8)[...])
        _ = parser.expression(depth: 0)
        let rest = parser.rest.drop { $0 == 0x20 }
        if rest.isEmpty { return "The condition \(text.quoted) ends too early." }
        if parser.topics.count == maximumTopics, rest.first == UInt8(ascii: "'") {
            return "The condition names more than \(maximumTopics) topics."
        }
        let place = String(decoding: Array(text.utf8)[..<rest.startIndex], as: UTF8.self).count + 1
        return
            "The condition can't be read from character \(place) on: \(String(decoding: rest, as: UTF8.self).quoted)."
    }

    private struct Parser {
        var rest: ArraySlice<UInt8>
        var topics: [String] = []

        var isAtEnd: Bool { rest.allSatisfy { $0 == 0x20 } }

        mutating func expression(depth: Int) -> Node? {
            guard depth < TopicCondition.maximumDepth, var node = term(depth: depth) else { return nil }
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
            guard topics.count < TopicCondition.maximumTopics, take("'") else { return nil }
            let name = rest.prefix(while: FCMSyntax.isTopicCharacter)
            rest = rest.dropFirst(name.count)
            guard 1...900 ~= name.count, rest.first == UInt8(ascii: "'") else { return nil }
            rest = rest.dropFirst()
            guard take("in"), rest.first == 0x20, take("topics") else { return nil }
            topics.append(String(decoding: name, as: UTF8.self))
            return .topic(topics[topics.count - 1])
        }

        /// Consumes a token and the spaces before it; false if another token is next.
        private mutating func take(_ token: String) -> Bool {
            let text = rest.drop { $0 == 0x20 }
            guard text.starts(with: token.utf8) else { return false }
            rest = text.dropFirst(token.utf8.count)
            return true
        }
    }
}
