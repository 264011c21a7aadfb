/// A first-in, first-out queue.
///
/// Removing the first element of an array takes time in proportion to its length. Here, elements move only once in a
/// thousand removals.
package struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    package init() {}

    package var count: Int { elements.count - head }
    package var isEmpty: Bool { head == elements.count }
    package var first: Element? { isEmpty ? nil : elements[head] }

    package mutating func append(_ element: consuming Element) { elements.append(element) }

    package mutating func popLast() -> Element? { isEmpty ? nil : elements.removeLast() }

    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count || head > 1024 {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
