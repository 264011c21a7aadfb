import Devices
import PushCore
import Testing

/// Live Activities (docs/evidence/device.md §2.3(14)): they start, change, become stale, end and leave the screen.
@Suite struct LiveActivityTests {
    private static func event(_ event: String, _ timestamp: Int, _ more: String = "", type: String? = "Trip") -> String
    {
        let name = type.map { #","attributes-type":"\#($0)""# } ?? ""
        return #"{"aps":{"event":"\#(event)","timestamp":\#(timestamp)\#(name)\#(more.isEmpty ? "" : ",")\#(more)}}"#
    }

    /// The start of the sample's clock, in seconds.
    private static let now = 1_800_000_000

    @Test func `an activity starts, ignores older timestamps, and ends`() throws {
        var phone = try PhoneSample(.ios)
        #expect(
            try phone.push(Self.event("update", 1)) == ["suppressed ios.live-activity-over activity=Trip event=update"])
        #expect(
            try phone.push(Self.event("start", 2)) == [
                "presented ios.live-activity activity=Trip event=start", "began Trip",
            ])
        #expect(try phone.push(Self.event("update", 4)) == ["presented ios.live-activity activity=Trip event=update"])
        #expect(
            try phone.push(Self.event("update", 3)) == ["suppressed ios.live-activity-old activity=Trip event=update"])
        #expect(
            try phone.push(Self.event("end", 5)) == [
                "presented ios.live-activity activity=Trip event=end", "ended", "wake 14400000",
            ])
        #expect(
            try phone.push(Self.event("update", 6)) == ["suppressed ios.live-activity-over activity=Trip event=update"])
    }

    @Test func `an ended activity stays for four hours, or until its dismissal-date`() throws {
        let rows: [(date: Int?, stays: Int64)] = [
            (nil, 14_400), (Self.now + 60, 60), (Self.now + 100_000, 14_400), (Self.now, 0), (5, 0),
        ]
        for row in rows {
            var phone = try PhoneSample(.ios)
            _ = try phone.push(Self.event("start", 1))
            let output = try phone.push(Self.event("end", 2, row.date.map { #""dismissal-date":\#($0)"# } ?? ""))
            let gone = "removed ios.live-activity-dismissed activity=Trip"
            if row.stays == 0 {
                #expect(output == ["ended", gone])
            } else {
                #expect(
                    output == [
                        "presented ios.live-activity activity=Trip event=end", "ended", "wake \(row.stays * 1000)",
                    ])
                #expect(phone.wait(row.stays * 1000 - 1) == [])
                #expect(phone.wait(1) == [gone])
            }
            #expect(phone.wait(1_000_000_000) == [])
        }
    }

    @Test func `an activity becomes stale at its stale-date, unless an update arrives before`() throws {
        var phone = try PhoneSample(.ios)
        let soon = #""stale-date":\#(Self.now + 10)"#
        #expect(try phone.push(Self.event("start", 1, soon)).last == "wake 10000")
        #expect(phone.wait(10_000) == ["state ios.live-activity-stale activity=Trip state=stale"])
        #expect(phone.wait(10_000) == [])
        _ = try phone.push(Self.event("update", 2, #""stale-date":\#(Self.now + 30)"#))
        #expect(try phone.push(Self.event("update", 3)) == ["presented ios.live-activity activity=Trip event=update"])
        #expect(phone.wait(60_000) == [])
    }

    @Test func `many events with a date need one timer`() throws {
        var phone = try PhoneSample(.ios)
        func stale(_ event: String, _ timestamp: Int, at second: Int) -> String {
            Self.event(event, timestamp, #""stale-date":\#(Self.now + second)"#)
        }
        #expect(try phone.push(stale("start", 1, at: 100)).last == "wake 100000")
        for second in 101...150 {
            #expect(
                try phone.push(stale("update", second, at: second)) == [
                    "presented ios.live-activity activity=Trip event=update"
                ])
        }
        #expect(phone.wait(100_000) == ["wake 50000"])
        #expect(phone.wait(50_000) == ["state ios.live-activity-stale activity=Trip state=stale"])
        // A date that is far away needs several timers in sequence.
        #expect(try phone.push(stale("update", 200, at: 100_000_000_000)).last == "wake 43200000")
        #expect(phone.wait(43_200_000) == ["wake 43200000"])
    }

    @Test func `title and body of the alert may be given by key, and the alert may have a sound`() throws {
        var phone = try PhoneSample(.ios)
        let alert = #""alert":{"title":{"loc-key":"T","loc-args":[]},"body":"b","sound":"s.caf"}"#
        #expect(
            try phone.push(Self.event("start", 1, alert)).first
                == "presented ios.live-activity activity=Trip event=start title=T body=b sound=s.caf")
    }

    @Test func `an event without a type is for the running activity, or for that of the token`() throws {
        var phone = try PhoneSample(.ios)
        _ = try phone.push(Self.event("start", 1))
        #expect(
            try phone.push(Self.event("update", 2, type: nil)) == [
                "presented ios.live-activity activity=Trip event=update"
            ])
        _ = try phone.push(Self.event("start", 3, type: "Race"))
        let content = PushContent(try PhoneSample.document(Self.event("end", 4, type: nil)), for: .ios)
        let output = phone.handle(.push(Arrival(push: PushID(9), content: content, activity: "Race")))
        #expect(output.first == "presented ios.live-activity activity=Race event=end")
        #expect(
            try phone.push(Self.event("update", 5, type: nil)) == [
                "presented ios.live-activity activity=Trip event=update"
            ])
    }

    @Test func `a start event can name a channel to subscribe to`() throws {
        var phone = try PhoneSample(.ios)
        #expect(try phone.push(Self.event("start", 1, #""input-push-channel":"abc""#)).last == "began Trip on abc")
    }

    @Test func `an activity's token starts and ends with the activity`() throws {
        var random = Random(seed: 3)
        var phone = try PhoneSample(.ios)
        let now = phone.now
        let start = try #require(phone.registry[0].activityToken)
        func binding(_ token: DeviceToken, _ registry: borrowing DeviceRegistry) -> TokenBinding? {
            registry.binding(of: token, at: now, UnregisterRule())
        }
        #expect(start.hex.count == 160)
        #expect(binding(start, phone.registry)?.kind == .liveActivity)
        #expect(phone.registry.activity(of: start) == nil)
        _ = try phone.push(Self.event("start", 1))
        let change = phone.registry.makeActivityToken("Trip", 0, at: now, using: &random)
        let hex = change.new ?? ""
        let parsed = DeviceToken(hex: hex.utf8Span.span)
        let token = try #require(parsed)
        #expect(phone.registry.activity(of: token) == "Trip")
        #expect(binding(token, phone.registry)?.unregistered == nil)
        #expect(phone.registry[0].activityTokens.map(\.type) == [nil, "Trip"])
        phone.registry.endActivity(token, 0, at: now)
        #expect(binding(token, phone.registry)?.unregistered == now)
        #expect(binding(token, phone.registry)?.kind == .liveActivity)
        #expect(phone.registry[0].activityTokens.map(\.type) == [nil])
        _ = phone.registry.remove(0)
        #expect(binding(start, phone.registry) == nil)
    }
}
