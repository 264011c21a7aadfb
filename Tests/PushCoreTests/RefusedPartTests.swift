import HTTPCore
import Testing

@testable import PushCore

/// Refused pushes have a fifth of the log, and never remove anything else.
@Suite struct RefusedPartTests {
    private static let request: Request = {
        var request = Request(version: .http2, headers: HeaderBlock([.method: "POST", .path: "/3/device/a"]))
        request.body = [UInt8](repeating: 0x78, count: 1000)
        return request
    }()

    private static func append(_ kind: Event.Kind, _ push: UInt64, to log: inout EventLog) {
        let place = log.store(
            PushContext(request, at: Timestamp(milliseconds: 0)), in: kind == .refused ? .refused : .main)
        log.append(
            log.next(kind, at: Timestamp(milliseconds: 0), about: Event.Subject(push: PushID(push))), keeping: place)
    }

    private static func pushes(_ log: EventLog, _ kind: Event.Kind) -> [UInt64] {
        log.events(after: 0).filter { $0.kind == kind }.compactMap { $0.push?.number }
    }

    @Test func `many refused pushes leave all accepted ones`() {
        var log = EventLog(capacity: 20, byteCapacity: 1 << 20)
        for push in 1...20 { Self.append(.accepted, UInt64(push), to: &log) }
        for push in 21...100 { Self.append(.refused, UInt64(push), to: &log) }
        #expect(Self.pushes(log, .accepted) == Array(1...20))
        #expect(Self.pushes(log, .refused) == Array(97...100))
        #expect((log.count, log.pushCount, log.newest) == (24, 24, 100))
    }

    @Test func `refused pushes have a fifth of a log that is not full, too`() {
        var log = EventLog(capacity: 20, byteCapacity: 1 << 20)
        for push in 1...9 { Self.append(push % 3 == 0 ? .accepted : .refused, UInt64(push), to: &log) }
        #expect(log.events(after: 0).map(\.seq) == [3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `many accepted pushes remove the oldest accepted ones, and no refused one`() {
        var log = EventLog(capacity: 20, byteCapacity: 1 << 20)
        for push in 1...4 { Self.append(.refused, UInt64(push), to: &log) }
        for push in 5...100 { Self.append(.accepted, UInt64(push), to: &log) }
        #expect(log.events(after: 0).map(\.seq) == Array(1...4) + Array(81...100))
    }

    @Test func `refused pushes have a fifth of the bytes`() {
        var scale = EventLog(capacity: 1, byteCapacity: 1 << 20)
        let size = scale.store(PushContext(Self.request, at: Timestamp(milliseconds: 0))).size
        var log = EventLog(capacity: 1000, byteCapacity: 10 * size)
        for push in 1...10 { Self.append(.accepted, UInt64(push), to: &log) }
        for push in 11...50 { Self.append(.refused, UInt64(push), to: &log) }
        #expect(Self.pushes(log, .accepted) == Array(1...10))
        #expect(Self.pushes(log, .refused) == [49, 50])
        Self.append(.accepted, 51, to: &log)
        #expect(Self.pushes(log, .accepted) == Array(2...10) + [51])
    }

    @Test func `the memory of removed pushes is given back, even if the log is never full`() {
        var log = EventLog(capacity: 100_000, byteCapacity: 1 << 30)
        var push: UInt64 = 0
        for _ in 0..<10 {
            for _ in 0..<600 {
                push += 1
                Self.append(.accepted, push, to: &log)
                Self.append(.refused, push, to: &log)
            }
            log.forget(where: { _ in true })
        }
        #expect(log.segments <= 2, "one for each part")
        Self.append(.accepted, push + 1, to: &log)
        for _ in 0..<600 {
            push += 1
            Self.append(.refused, push + 1, to: &log)
        }
        log.forget(where: { $0.kind == .refused })
        #expect(log.segments <= 2)
        #expect(log.events(after: 0).count == 1)
    }

    @Test func `a fault is beside the push that it refused`() {
        var log = EventLog(capacity: 10, byteCapacity: 1 << 20)
        func fault(_ push: UInt64?) {
            log.append(.fault, at: Timestamp(milliseconds: 0), about: Event.Subject(push: push.map { PushID($0) }))
        }
        Self.append(.accepted, 1, to: &log)
        fault(1)
        for push in 2...9 {
            Self.append(.refused, UInt64(push), to: &log)
            fault(UInt64(push))
        }
        // What hits no push at all is there too.
        fault(nil)
        #expect(log.events(after: 0).map(\.kind) == [.accepted, .fault, .fault, .fault])
        #expect(log.events(after: 0).map { $0.push?.number } == [1, 1, 9, nil])
    }

    @Test func `requests of both parts are found after either has dropped some`() throws {
        var log = EventLog(capacity: 1000, byteCapacity: 2 << 20)
        var places: [Event.Kind: [RequestHandle]] = [:]
        for number in 1...3000 {
            let kind: Event.Kind = number % 2 == 0 ? .accepted : .refused
            var request = Request(version: .http2, headers: HeaderBlock([.path: "/\(number)"]))
            request.body = [UInt8](repeating: 0x78, count: 1000)
            let place = log.store(
                PushContext(request, at: Timestamp(milliseconds: 0)), in: kind == .accepted ? .main : .refused)
            log.append(
                log.next(kind, at: Timestamp(milliseconds: 0), about: Event.Subject(push: PushID(UInt64(number)))),
                keeping: place)
            places[kind, default: []].append(place)
        }
        let (accepted, refused) = (try #require(places[.accepted]), try #require(places[.refused]))
        #expect(log.request(at: accepted[1499]).map { String(decoding: $0.path, as: UTF8.self) } == "/3000")
        #expect(log.request(at: refused[1499]).map { String(decoding: $0.path, as: UTF8.self) } == "/2999")
        #expect(log.request(at: accepted[700]).map { String(decoding: $0.path, as: UTF8.self) } == "/1402")
        #expect(log.request(at: refused[700]) == nil)
        #expect(log.body(at: refused[1400])?.count == 1000)
    }

    @Test func `a reader learns how many events are missing before the next one`() throws {
        var log = EventLog(capacity: 10, byteCapacity: 1 << 20)
        Self.append(.accepted, 1, to: &log)
        for push in 2...6 { Self.append(.refused, UInt64(push), to: &log) }
        Self.append(.accepted, 7, to: &log)
        #expect(log.event(after: 1)?.seq == 5)
        #expect(log.missed(after: 1, before: 5, includesRefused: true) == 3)
        #expect(log.missed(after: 1, before: 5, includesRefused: false) == 0)
        #expect(log.missed(after: 0, before: 1, includesRefused: true) == 0)
        log.forget { $0.seq == 6 }
        // A number that was deleted is not missed.
        #expect(log.event(after: 5)?.seq == 7)
        #expect(log.missed(after: 5, before: 7, includesRefused: true) == 0)
        #expect(log.event(after: 7) == nil)
        for push in 8...30 { Self.append(.accepted, UInt64(push), to: &log) }
        #expect(log.event(after: 1)?.seq == 5)
        #expect(log.event(after: 5)?.seq == 21)
        #expect(log.missed(after: 5, before: 21, includesRefused: false) == 15)
    }

    @Test func `events are found by number whatever is missing between them`() {
        var (log, random) = (EventLog(capacity: 50, byteCapacity: 1 << 20), Random(seed: 5))
        var expected: [UInt64] = []
        for round in 1...2000 {
            let push = UInt64(round)
            Self.append(random.next() % 3 == 0 ? .refused : .accepted, push, to: &log)
            if random.next() % 40 == 0 {
                let gone = push - random.next() % 20
                log.forget { $0.seq == gone || $0.seq == gone + 2 }
            }
            guard round % 97 == 0 else { continue }
            expected = log.events(after: 0).map(\.seq)
            #expect(
                expected == expected.sorted() && Set(expected).count == expected.count && expected.count <= log.count)
            for seq in 1...push + 1 {
                #expect(log.event(seq)?.seq == (expected.contains(seq) ? seq : nil))
                #expect(log.event(after: seq)?.seq == expected.first { $0 > seq })
            }
        }
        #expect(expected.count > 40)
    }
}
