import HTTPCore
@testable import PushCore
import Testing

/// What a reader gets from a log that has forgotten its oldest events.
@Suite struct EventLogTests {
    private static func log(_ count: Int) -> EventLog {
        var log = EventLog(capacity: 10, byteCapacity: 1 << 20)
        for second in 0..<count {
            log.append(.state, at: Timestamp(milliseconds: Int64(second)), about: Event.Subject(app: "a"))
        }
        return log
    }

    @Test(
        arguments: [
            (0, 0, 0), (3, 0, 3), (3, 2, 1), (3, 3, 0), (3, 9, 0), (25, 0, 10), (25, 14, 10), (25, 15, 10), (25, 16, 9),
            (25, 25, 0),
        ] as [(Int, UInt64, Int)])
    func `a reader gets the events after its position that are still in the log`(count: Int, after: UInt64, found: Int)
    {
        let seqs = Self.log(count).events(after: after).map(\.seq)
        #expect(seqs.count == found)
        #expect(seqs == seqs.sorted())
        #expect(seqs.last ?? UInt64(count) == UInt64(count))
    }

    @Test func `a log that has forgotten everything is empty and continues with the next number`() {
        var log = Self.log(5)
        let hasForgotten = log.forget(before: Timestamp(milliseconds: 100))
        #expect(hasForgotten)
        #expect((log.count, log.newest) == (0, 5))
        for seq in UInt64(0)...6 { #expect(log.events(after: seq).isEmpty) }
        #expect(log.append(.state, at: Timestamp(milliseconds: 200), about: Event.Subject(app: "a")) == 6)
        #expect(log.events(after: 0).map(\.seq) == [6])
    }

    /// A log with room for four of these requests.
    private static func logOfRequests() -> (log: EventLog, append: (inout EventLog, UInt64) -> Void) {
        var request = Request(version: .http2, headers: HeaderBlock([.method: "POST", .path: "/3/device/a"]))
        request.body = [UInt8](repeating: 0x78, count: 1000)
        var scale = EventLog(capacity: 1, byteCapacity: 1 << 20)
        let size = scale.store(PushContext(request, at: Timestamp(milliseconds: 0))).size
        return (
            EventLog(capacity: 100, byteCapacity: 4 * size),
            { log, push in
                let place = log.store(PushContext(request, at: Timestamp(milliseconds: 0)))
                let subject = Event.Subject(app: "a", push: PushID(push))
                log.append(log.next(.accepted, at: Timestamp(milliseconds: 0), about: subject), keeping: place)
            }
        )
    }

    @Test func `the requests of a log have a limit, and the oldest are forgotten first`() {
        var (log, append) = Self.logOfRequests()
        for push in 1...6 { append(&log, UInt64(push)) }
        #expect(log.events(after: 0).compactMap { $0.push?.number } == [3, 4, 5, 6])
    }

    @Test func `events are forgotten in a part of the log, and left out when it is written`() {
        var (log, append) = Self.logOfRequests()
        for push in 1...4 { append(&log, UInt64(push)) }
        log.forget(in: 2...3) { [1, 3, 4].contains($0.push?.number) }
        #expect(log.events(after: 0).map(\.seq) == [1, 2, 4])
        func size(without deleted: Set<PushID>) -> Int {
            var writer = ByteWriter()
            log.write(1...4, of: .main, without: deleted, to: &writer)
            return writer.bytes.count
        }
        #expect(size(without: [PushID(1), PushID(2), PushID(4)]) == 0)
        #expect(size(without: [PushID(3)]) == size(without: []))
        #expect(size(without: [PushID(4)]) < size(without: []))
    }

    @Test(arguments: [1, 7, 500])
    func `the requests of removed events are cut out when they are most of a segment, and the others stay`(
        portion: UInt64
    )
        throws
    {
        var log = EventLog(capacity: 10_000, byteCapacity: 1 << 30)
        var places: [RequestHandle] = []
        for number in 0..<1500 {
            var request = Request(version: .http2, headers: HeaderBlock([.method: "POST", .path: "/\(number)"]))
            request.body = [UInt8](repeating: UInt8(number % 251), count: 600)
            let context = PushContext(request, at: Timestamp(milliseconds: 0))
            places.append(log.store(context))
            let record = PushRecord(
                id: PushID(UInt64(number)), provider: .apns, request: places[number], status: 200, reason: nil,
                findings: [], environment: .sandbox)
            let subject = Event.Subject(app: "a", push: PushID(UInt64(number)))
            log.append(
                log.next(.accepted, at: context.now, about: subject, detail: .push(record)), keeping: places[number])
            // An event without a request.
            log.append(.delivered, at: context.now, about: subject)
        }
        for first in stride(from: 1, through: log.newest, by: Int(portion)) {
            log.forget(in: first...first + portion - 1) { $0.push.map { $0.number % 10 != 3 } ?? false }
        }
        let last = try #require(places.last).segment
        #expect(last > 2)
        var (kept, others) = (0, 0)
        for (number, place) in places.enumerated() where place.segment < last {
            guard let request = log.request(at: place) else {
                #expect(number % 10 != 3)
                continue
            }
            if number % 10 == 3 { kept += 1 } else { others += 1 }
            #expect(request.path.elementsEqual("/\(number)".utf8))
            #expect(request.body.allSatisfy { $0 == UInt8(number % 251) })
        }
        #expect(others <= kept, "at most half of a segment is removed requests")
    }

    @Test func `deleted requests make room for others`() {
        var (log, append) = Self.logOfRequests()
        for push in 1...4 { append(&log, UInt64(push)) }
        log.forget { [2, 3].contains($0.push?.number) }
        #expect(log.events(after: 0).map(\.seq) == [1, 4])
        for push in 5...6 { append(&log, UInt64(push)) }
        #expect(log.events(after: 0).compactMap { $0.push?.number } == [1, 4, 5, 6])
        append(&log, 7)
        #expect(log.events(after: 0).compactMap { $0.push?.number } == [4, 5, 6, 7])
    }
}
