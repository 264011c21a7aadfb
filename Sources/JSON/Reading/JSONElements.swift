/// The elements of an array.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    init(of array: JSONView) {
        document = array.document
        index = array.index + 1
        end = array.kind == .array ? Int(array.node.next) : index
    }

    package mutating func next() -> JSONView? {
        guard index < end else { return nil }
        defer { index = Int(document.nodes[index].next) }
        return JSONView(document: document, index: index)
    }
}
