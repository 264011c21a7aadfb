import Storage
import TestSupport
import Testing

@Suite struct StoreTests {
    private func events(_ first: Int64, _ last: Int64) -> (first: Int64, last: Int64, bytes: [UInt8]) {
        (first, last, Array("\(first)-\(last)".utf8))
    }

    private func text(_ pieces: [[UInt8]]) -> [String] { pieces.map { String(decoding: $0, as: UTF8.self) } }

    @Test func `a new store is empty, and only its owner may read it`() throws {
        let scratch = Scratch()
        let directory = scratch.directory + "/new"
        let store = try Store(directory: directory)
        let contents = try store.load()
        #expect(contents.events.isEmpty && contents.devices.isEmpty)
        #expect(contents.tracking.isEmpty && contents.numbers.isEmpty)
        // The file keeps its random number.
        let (again, other) = (try store.load(), try Store(directory: Scratch().directory).load())
        #expect(again.identity == contents.identity)
        #expect(other.identity != contents.identity)
        #expect(Scratch.mode(of: directory) == 0o700)
        #expect(Scratch.mode(of: store.path) == 0o600)
    }

    @Test func `a batch is there when the store is opened again`() throws {
        let scratch = Scratch()
        var batch = Store.Batch()
        batch.events = events(1, 3)
        batch.devices = [("a", [1]), ("b", [2, 0, 255]), ("c", [])]
        batch.tracking = [("open", [4]), ("click", [5])]
        batch.numbers = [("seq", 3), ("mint", .min)]
        try Store(directory: scratch.directory).write(batch)
        let contents = try Store(directory: scratch.directory).load()
        #expect(text(contents.events) == ["1-3"])
        #expect(contents.devices == [[1], [2, 0, 255], []])
        #expect(contents.tracking.map(\.key) == ["open", "click"])
        #expect(contents.tracking.map(\.bytes) == [[4], [5]])
        #expect(contents.numbers == ["seq": 3, "mint": .min])
    }

    @Test func `later batches change and delete rows, and a changed row keeps its place`() throws {
        let scratch = Scratch()
        let store = try Store(directory: scratch.directory)
        var batch = Store.Batch()
        batch.devices = [("a", [1]), ("b", [2]), ("c", [3])]
        batch.tracking = [("x", [1]), ("y", [2])]
        batch.numbers = [("seq", 1), ("pushes", 7)]
        try store.write(batch)
        batch = Store.Batch()
        batch.devices = [("a", [9]), ("b", nil), ("d", [4]), ("unknown", nil)]
        batch.tracking = [("y", [8]), ("x", nil)]
        batch.numbers = [("seq", 2)]
        try store.write(batch)
        let contents = try store.load()
        #expect(contents.devices == [[9], [3], [4]])
        #expect(contents.tracking.map(\.key) == ["y"])
        #expect(contents.tracking.map(\.bytes) == [[8]])
        #expect(contents.numbers == ["seq": 2, "pushes": 7])
    }

    @Test func `a batch can delete old events, all events and all tracking rows`() throws {
        let scratch = Scratch()
        let store = try Store(directory: scratch.directory)
        for first in [1, 4, 7] as [Int64] {
            var batch = Store.Batch()
            batch.events = events(first, first + 2)
            batch.tracking = [("\(first)", [])]
            try store.write(batch)
        }
        var batch = Store.Batch()
        batch.deletesEventsUpTo = 5
        try store.write(batch)
        #expect(text(try store.load().events) == ["4-6", "7-9"], "event 6 is still needed")
        batch.deletesEventsUpTo = 6
        try store.write(batch)
        #expect(text(try store.load().events) == ["7-9"])
        batch = Store.Batch()
        batch.replacesEvents = true
        batch.events = events(7, 7)
        batch.deletesTracking = true
        batch.tracking = [("new", [])]
        try store.write(batch)
        #expect(text(try store.load().events) == ["7-7"])
        #expect(try store.load().tracking.map(\.key) == ["new"])
    }

    @Test func `a batch that fails writes nothing, and the next one succeeds`() throws {
        let scratch = Scratch()
        let store = try Store(directory: scratch.directory)
        var batch = Store.Batch()
        batch.events = events(1, 3)
        try store.write(batch)
        batch.devices = [("a", [1])]
        #expect(throws: StorageError.self) { try store.write(batch) }
        #expect(try store.load().devices.isEmpty)
        batch.events = events(4, 6)
        try store.write(batch)
        #expect(text(try store.load().events) == ["1-3", "4-6"])
    }

    @Test func `after checkpoint the main file has everything`() throws {
        let scratch = Scratch()
        let copy = Scratch()
        let store = try Store(directory: scratch.directory)
        var batch = Store.Batch()
        batch.events = events(1, 3)
        try store.write(batch)
        store.checkpoint()
        copy.write(scratch.read())
        #expect(text(try Store(directory: copy.directory).load().events) == ["1-3"])
    }
}
