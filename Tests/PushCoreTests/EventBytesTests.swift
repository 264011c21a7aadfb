import HTTPCore
import JSON
import PushCore
import Testing

/// Events that were written for the disk are read back unchanged, and damaged bytes are rejected.
@Suite struct EventBytesTests {
    private static let request: Request = {
        var request = Request(
            version: .http2,
            headers: HeaderBlock([.method: "POST", .path: "/3/device/ab", .authorization: "", .contentType: "ü"]))
        request.body = Array(#"{"aps":{}}"#.utf8)
        return request
    }()

    private struct Shown: EventData {
        let number: UInt32 = 0
        var templateKey: TemplateKey? { nil }
        func write(of event: Event, to json: inout JSONWriter, _ marks: inout FrameTemplate.Placeholders) {
            json.object { $0.member("a", 1) }
        }
        func encode(to writer: inout ByteWriter) { writer.number(77) }
    }

    /// A log with an event of each kind of detail.
    private static func filled() -> EventLog {
        var log = EventLog(capacity: 100, byteCapacity: 1 << 20)
        let details: [Event.Detail] = [
            .none, .stored(milliseconds: -1), .replaced(by: PushID(PushID.largestSaved)), .channel("c"), .topic(""),
            .deleted(7),
            .data(Array("{}".utf8)),
            .fields([("s", .string("ü")), ("i", .int(.min)), ("b", .bool(true))]), .object(Shown()),
        ]
        for (index, detail) in details.enumerated() {
            log.append(
                Event.Kind.allCases[index], at: Timestamp(milliseconds: 5),
                about: Event.Subject(app: "app", device: index % 2 == 0 ? DeviceID("d") : nil, push: PushID(9)),
                why: RuleID("r"), detail: detail)
        }
        let place = log.store(PushContext(request, at: Timestamp(milliseconds: 0)))
        let record = PushRecord(
            id: PushID(300), provider: .fcm, name: "n", request: place, status: 404, reason: "R",
            findings: [Finding("f", .note, at: "/a", "m")], environment: .sandbox)
        log.append(
            log.next(
                .accepted, at: Timestamp(milliseconds: 1 << 40), about: Event.Subject(push: PushID(300)),
                detail: .push(record)), keeping: place)
        return log
    }

    private static func bytes(_ log: EventLog) -> [UInt8] {
        var writer = ByteWriter()
        for part in [EventLog.Part.main, .refused] { log.write(1...log.newest, of: part, to: &writer) }
        return writer.bytes
    }

    @Test func `events are read back as they were written`() throws {
        let before = Self.bytes(Self.filled())
        var reader = ByteReader(before)
        var log = EventLog(capacity: 100, byteCapacity: 1 << 20)
        while !reader.isAtEnd {
            let kept = try Event.read(from: &reader)
            if let object = kept.object { #expect(object == [77]) }
            log.restore(kept.object == nil ? kept : kept.with(.object(Shown())))
        }
        #expect(log.newest == 10)
        #expect(Self.bytes(log) == before)
        guard case .push(let record)? = log.event(10)?.detail, let request = log.request(at: record.request) else {
            return #expect(Bool(false), "no push")
        }
        #expect(
            request.headers == Self.request.headers && request.body == Self.request.body && request.version == .http2)
    }

    @Test func `truncated bytes are rejected, and corrupted bytes never crash`() throws {
        let whole = Self.bytes(Self.filled())
        for count in 0..<whole.count {
            var reader = ByteReader(Array(whole.prefix(count)))
            #expect(throws: ByteReader.Damage.self) { while true { _ = try Event.read(from: &reader) } }
        }
        var random = Random(seed: 11)
        for _ in 0..<20_000 {
            var broken = whole
            for _ in 0..<2 {
                broken[Int(random.next() % UInt64(broken.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            var reader = ByteReader(broken)
            for _ in 0..<20 { if (try? Event.read(from: &reader)) == nil { break } }
        }
    }

    @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, UInt64(UInt32.max), UInt64.max])
    func `numbers survive encoding and decoding`(
        number: UInt64
    ) throws {
        var writer = ByteWriter()
        writer.number(number)
        writer.signed(Int64(truncatingIfNeeded: number))
        writer.signed(-Int64(truncatingIfNeeded: number >> 1))
        var reader = ByteReader(writer.bytes)
        #expect(try reader.number() == number)
        #expect(try reader.signed() == Int64(truncatingIfNeeded: number))
        #expect(try reader.signed() == -Int64(truncatingIfNeeded: number >> 1))
        #expect(reader.isAtEnd)
    }

    @Test func `repeated fields are written once and still read back`() throws {
        let heads: [HeaderBlock] = [
            HeaderBlock([.method: "POST", .path: "/3/device/ab", .authorization: "bearer abcdef"]),
            HeaderBlock([.method: "POST", .path: "/3/device/ab", .authorization: "bearer abcdef"]),
            HeaderBlock([.method: "POST", .path: "/3/device/cd", .authorization: "bearer abcdef", .host: "h"]),
            HeaderBlock([.path: "/3/device/cd", .method: "POST", .authorization: ""]), HeaderBlock(),
            HeaderBlock([.path: "/3/device/cd", HeaderName(":patx"): "/3/device/cd"]),
        ]
        var log = EventLog(capacity: 100, byteCapacity: 1 << 20)
        for (number, headers) in heads.enumerated() {
            let place = log.store(
                PushContext(Request(version: .http11, headers: headers), at: Timestamp(milliseconds: 0)))
            let record = PushRecord(
                id: PushID(1), provider: .apns, request: place, status: 200, reason: nil, findings: [],
                environment: .production)
            log.append(
                log.next(
                    .accepted, at: Timestamp(milliseconds: Int64(number)), about: Event.Subject(push: PushID(1)),
                    detail: .push(record)), keeping: place)
        }
        var (writer, sizes): (ByteWriter, [Int]) = (ByteWriter(), [])
        for last in 1...log.newest {
            writer = ByteWriter()
            log.write(1...last, of: .main, to: &writer)
            sizes.append(writer.bytes.count - sizes.reduce(0, +))
        }
        #expect(sizes[0] - sizes[1] == ":methodPOST:path/3/device/abauthorizationbearer abcdef".utf8.count + 3)
        var reader = ByteReader(writer.bytes)
        for headers in heads {
            let request = try #require(try Event.read(from: &reader).record?.request)
            #expect(request.headers == headers)
            #expect(request.version == .http11)
        }
        #expect(reader.isAtEnd)
    }

    @Test(arguments: [-1, .min, 253_402_300_800_000, .max] as [Int64])
    func `a time outside the years 1970 to 9999 is rejected`(
        milliseconds: Int64
    ) {
        var log = EventLog(capacity: 1, byteCapacity: 1)
        log.append(.state, at: Timestamp(milliseconds: milliseconds), about: Event.Subject())
        var writer = ByteWriter()
        log.write(1...1, of: .main, to: &writer)
        var reader = ByteReader(writer.bytes)
        #expect(throws: ByteReader.Damage.self) { try Event.read(from: &reader) }
    }

    @Test func `a request in the older format is still read`() throws {
        var reader = ByteReader([1, 1, 2, 1, 2, 1, 0, 5, 0x61, 0x62, 0x63, 0x64, 0x65, 2, 0x7B, 0x7D])
        #expect(throws: ByteReader.Damage.self) { try reader.request() }
        reader = ByteReader([1, 1, 2, 1, 2, 1, 0, 4, 0x61, 0x62, 0x63, 0x64, 2, 0x7B, 0x7D])
        let request = try reader.request()
        #expect(request.headers == HeaderBlock([HeaderName("a"): "bc", HeaderName("d"): ""]))
        #expect(request.version == .http11 && request.bodyIsOverLimit && request.body == [0x7B, 0x7D])
        #expect(reader.isAtEnd)
    }

    @Test func `a log continues after restored events, with gaps and when full`() throws {
        var log = EventLog(capacity: 4, byteCapacity: 1 << 20)
        var writer = ByteWriter()
        for range in [6...7, 9...20] as [ClosedRange<UInt64>] { Self.filled().write(range, of: .main, to: &writer) }
        var reader = ByteReader(writer.bytes)
        while !reader.isAtEnd { log.restore(try Event.read(from: &reader)) }
        #expect(log.events(after: 0).map(\.seq) == [6, 7, 9, 10])
        log.append(.state, at: Timestamp(milliseconds: 0), about: Event.Subject())
        #expect(log.newest == 11 && log.event(11) != nil && log.event(8) == nil && log.event(6) == nil)
        log.skip(to: 20)
        log.append(.state, at: Timestamp(milliseconds: 0), about: Event.Subject())
        #expect(log.newest == 21 && log.events(after: 0).map(\.seq) == [9, 10, 11, 21])
    }

    @Test func `forgetting by age or by condition removes those events only`() {
        var log = EventLog(capacity: 10, byteCapacity: 1 << 20)
        for second in 1...6 {
            log.append(
                .state, at: Timestamp(milliseconds: Int64(second)),
                about: Event.Subject(app: second % 2 == 0 ? "even" : "odd"))
        }
        log.forget { $0.app == "even" }
        #expect(log.events(after: 0).map(\.seq) == [1, 3, 5])
        let hasForgotten = log.forget(before: Timestamp(milliseconds: 4))
        #expect(hasForgotten && log.events(after: 0).map(\.seq) == [5])
    }
}
