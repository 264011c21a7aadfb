/// The members of an object.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    init(of object: JSONView) {
        document = object.document
        index = object.index + 1
        end = object.kind == .object ? Int(object.node.next) : index
    }

    package mutating func next() -> (key: JSONView, value: JSONView)? {
        guard index < end else { return nil }
        let member = (
            key: JSONView(document: document, index: index),
            value: JSONView(document: document, index: index + 1)
        )
        index = Int(document.nodes[index + 1].next)
        return member
    }
}
