import HTTPCore
@testable import PushCore
import Testing

/// Finding the next event, past gaps of removed events and past those of other devices.
@Suite struct EventSearchTests {
    /// A log with `count` events, each about one of three devices. Every fifth is about a refused push.
    private static func log(_ count: Int) -> EventLog {
        var log = EventLog(capacity: 200, byteCapacity: 1 << 20)
        for number in 0..<count {
            let kind: Event.Kind = number % 5 == 4 ? .refused : .state
            let device = DeviceID("d\(number * 7 % 3)")
            log.append(kind, at: Timestamp(milliseconds: 0), about: Event.Subject(app: "a", device: device))
        }
        return log
    }

    @Test(arguments: [1, 3, 16, 500])
    func `the next event after each number is found, however the events before it were removed`(slice: UInt64) {
        var log = Self.log(250)
        var left = Set(log.events(after: 0).map(\.seq))
        var begin: UInt64 = 1
        while begin <= 250 {
            log.forget(in: begin...begin + slice - 1) { $0.seq % 50 != 3 && $0.seq % 50 != 20 }
            begin += slice
        }
        left = left.filter { $0 % 50 == 3 || $0 % 50 == 20 }
        #expect(left.count > 6)
        for seq in UInt64(0)...250 { #expect(log.event(after: seq)?.seq == left.filter { $0 > seq }.min()) }
        // Entries that were removed are used again.
        for _ in 0..<100 {
            left.insert(log.append(.state, at: Timestamp(milliseconds: 0), about: Event.Subject(app: "a")))
        }
        let found = Set(log.events(after: 0).map(\.seq))
        #expect(found == left.filter { found.contains($0) || $0 > 250 })
    }

    @Test func `the events of one device are found in both parts of the log`() {
        let log = Self.log(180)
        let device = DeviceID("d1")
        let all = log.events(after: 0).filter { $0.device == device }
        #expect(all.contains { $0.kind == .refused } && all.contains { $0.kind == .state })
        for (seq, last) in [(0, 180), (0, 1), (7, 100), (90, 91), (100, 40), (180, 180)] as [(UInt64, UInt64)] {
            let expected = all.first { $0.seq > seq && $0.seq <= last }
            #expect(log.event(after: seq, upTo: last, about: device)?.seq == expected?.seq, "\(seq) to \(last)")
        }
        #expect(log.event(after: 0, upTo: 180, about: DeviceID("d7")) == nil)
    }

    @Test func `a slice of the log ends where one of its parts has the given number of entries`() {
        let log = Self.log(180)
        #expect(log.end(of: 8, after: 0) == 9)
        #expect(log.end(of: 500, after: 0) == 180)
        #expect(log.end(of: 8, after: 180) == 180)
        #expect(EventLog(capacity: 1, byteCapacity: 1).end(of: 8, after: 0) == 0)
    }
}
