import HTTPCore
import PushCore
import Testing

@Suite struct PushCoreTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400_007, "2000-02-29T00:00:00.007Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_795_237_506_789, "2026-11-21T05:05:06.789Z", "Sat, 21 Nov 2026 05:05:06 GMT"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z", "Sun, 28 Feb 2100 23:59:59 GMT"),
        ] as [(Int64, String, String)])
    func `times are written as RFC 3339 and as HTTP dates`(milliseconds: Int64, text: String, date: String) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(moment.description == text)
        #expect(moment.httpDate == date)
    }

    @Test(
        arguments: [("00ff", [0, 255]), ("AbCd", [0xAB, 0xCD]), ("", []), ("0", nil), ("0g", nil)]
            as [(String, [UInt8]?)])
    func `hex is decoded in upper and lower case, and other text is refused`(text: String, bytes: [UInt8]?) {
        #expect(Hex.decode(Array(text.utf8).span) == bytes)
    }

    @Test func `ids have five groups, and equal seeds give equal ids`() {
        var one = Random(seed: 1)
        var other = Random(seed: 1)
        let id = randomID(&one)
        #expect(id.split(separator: UInt8(ascii: "-")).map(\.count) == [8, 4, 4, 4, 12])
        #expect(id.allSatisfy { "0123456789ABCDEF-".utf8.contains($0) })
        #expect(id == randomID(&other))
        #expect(id != randomID(&one))
    }

    private func randomID(_ random: inout Random) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: RandomID.count + 2)
        var span = text.mutableSpan
        RandomID(using: &random).write(over: &span, at: 1)
        #expect(text.first == 0 && text.last == 0)
        return Array(text[1...RandomID.count])
    }

    @Test func `the log numbers events and keeps the newest`() {
        var log = EventLog(capacity: 3, byteCapacity: 1 << 20)
        for _ in 0..<10 { log.append(.registered, at: Timestamp(milliseconds: 0), about: Event.Subject(app: "a")) }
        #expect(log.newest == 10)
        #expect(log.events(after: 0).map(\.seq) == [8, 9, 10])
        #expect(log.events(after: 9).map(\.seq) == [10])
        #expect(log.events(after: 10).isEmpty)
        #expect(log.events(after: 99).isEmpty)
    }

    private func record(_ number: UInt64, _ place: RequestHandle) -> PushRecord {
        PushRecord(
            id: PushID(number), provider: .apns, request: place, status: 200, reason: nil, findings: [],
            environment: .production)
    }

    @Test func `the log forgets events to stay within its byte limit`() {
        var log = EventLog(capacity: 100, byteCapacity: 4000)
        for number in 1...10 {
            var request = Request(version: .http2, headers: HeaderBlock([.method: "POST", .path: "/\(number)"]))
            request.body = [UInt8](repeating: UInt8(number), count: 1000)
            let place = log.store(PushContext(request, at: Timestamp(milliseconds: 0)))
            let record = record(UInt64(number), place)
            log.append(
                log.next(
                    .accepted, at: Timestamp(milliseconds: 0), about: Event.Subject(app: "a"), detail: .push(record)),
                keeping: record.request)
        }
        #expect(log.events(after: 0).map(\.seq) == [8, 9, 10])
    }

    @Test(arguments: [10, 300_000]) func `a request can be read until its event is forgotten`(size: Int) {
        var log = EventLog(capacity: 3, byteCapacity: 1 << 30)
        var places: [RequestHandle] = []
        for number in 1...20 {
            var request = Request(version: .http2, headers: HeaderBlock([.method: "POST", .path: "/\(number)"]))
            request.body = [UInt8](repeating: UInt8(number), count: size)
            places.append(log.store(PushContext(request, at: Timestamp(milliseconds: 0))))
            let record = record(UInt64(number), places[number - 1])
            log.append(
                log.next(
                    .accepted, at: Timestamp(milliseconds: 0), about: Event.Subject(app: "a"), detail: .push(record)),
                keeping: record.request)
        }
        for number in 18...20 {
            let request = log.request(at: places[number - 1])
            #expect(request?.path.elementsEqual("/\(number)".utf8) == true)
            #expect(request?.method == .post)
            #expect(request?.body == [UInt8](repeating: UInt8(number), count: size))
        }
        if size > 256 << 10 { #expect(log.request(at: places[0]) == nil) }
    }
}

extension PushID {
    init(_ number: Int) { self.init(UInt64(number)) }
}
