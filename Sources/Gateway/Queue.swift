/// What waits for its turn, the oldest first. Taking one out moves nothing: an array's first is as slow as it is long.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: consuming Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
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
