import Storage
import TestSupport
import Testing

@testable import Persistence

/// A batch that two threads may come to is written once.
@Suite struct BatchWritingTests {
    private static func batch(_ seq: Int64) -> Store.Batch {
        var batch = Store.Batch()
        batch.events = (seq, seq, [])
        return batch
    }

    @Test func `the second caller gets the outcome of the first`() throws {
        let scratch = Scratch()
        let store = try Store(directory: scratch.directory)
        let good = BatchWriting(Self.batch(1), last: 1, .init())
        #expect(good.run(in: store) == nil)
        // Writing it again would fail: the number is taken.
        #expect(good.run(in: store) == nil)
        #expect(try store.load().events.count == 1)
        let bad = BatchWriting(Self.batch(1), last: 1, .init())
        let error = bad.run(in: store)
        #expect(error != nil)
        #expect(bad.run(in: store)?.description == error?.description)
    }
}
