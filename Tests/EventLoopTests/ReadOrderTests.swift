import Testing

@testable import EventLoop

/// Which stream is read when there is not enough time for all.
@Suite struct ReadOrderTests {
    /// The streams that are read in each turn. They always have data, and are always reported in this order.
    private func reads(_ streams: [UInt64], _ readsInTurn: Int, turns: Int) -> [[UInt64]] {
        var order = ReadOrder()
        return (0..<turns).map { _ in
            var read: [UInt64] = []
            for stream in streams where order.admits(stream, hasTime: read.count < readsInTurn) { read.append(stream) }
            order.endTurn()
            return read
        }
    }

    @Test func `with enough time all are read in each turn`() {
        #expect(reads([1, 2, 3], 3, turns: 3) == [[1, 2, 3], [1, 2, 3], [1, 2, 3]])
    }

    @Test func `with time for one, each is read in six turns`() {
        let turns = reads([1, 2, 3, 4], 1, turns: 40)
        for stream in [1, 2, 3, 4] as [UInt64] {
            for start in 0..<34 {
                #expect(turns[start..<start + 6].contains([stream]), "stream \(stream) in \(turns)")
            }
        }
        #expect(turns.allSatisfy { $0.count == 1 }, "no turn is wasted")
    }

    @Test func `a stream that was refused comes first, however often others have data`() {
        var order = ReadOrder()
        expect(&order, [(1, true, true), (2, false, false)])
        order.endTurn()
        expect(&order, [(1, true, false), (2, true, true)])
        order.endTurn()
        expect(&order, [(1, true, true)])
    }

    @Test func `a stream that has no more data holds up nothing for longer than a turn`() {
        var order = ReadOrder()
        expect(&order, [(2, false, false)])
        order.endTurn()
        expect(&order, [(1, true, false)])
        order.endTurn()
        expect(&order, [(1, true, true)])
    }

    /// Offers streams to the order, with or without time for them, and expects whether they are read.
    private func expect(
        _ order: inout ReadOrder, _ offers: [(stream: UInt64, hasTime: Bool, isRead: Bool)],
        at location: SourceLocation = #_sourceLocation
    ) {
        for (stream, hasTime, isRead) in offers {
            let admits = order.admits(stream, hasTime: hasTime)
            #expect(admits == isRead, "stream \(stream)", sourceLocation: location)
        }
    }
}
