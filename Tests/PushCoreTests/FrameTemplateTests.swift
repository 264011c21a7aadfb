import JSON
import PushCore
import Testing

/// An overwritten text equals a freshly rendered one.
@Suite struct FrameTemplateTests {
    private static func template(
        _ values: FrameTemplate.Values, seq: UInt64, time: Timestamp, push: UInt64, number: UInt32
    )
        -> FrameTemplate
    {
        FrameTemplate(values) { json, marks in
            json.object { json in
                marks.member("seq", .seq, to: &json) { $0.integer(seq) }
                json.member("a", "ü\"1")
                marks.member("key", .number, to: &json) { $0.string("n\(number)") }
                marks.member("time", .time, to: &json) { $0.value(time) }
                marks.member("push", .push, to: &json) { $0.value(PushID(push)) }
                marks.member("again", .push, to: &json) { $0.value(PushID(push)) }
            }
        }
    }

    private static func template(_ seq: UInt64, _ time: Int64, _ push: UInt64, _ number: UInt32) -> (
        template: FrameTemplate, values: FrameTemplate.Values
    ) {
        let time = Timestamp(milliseconds: time)
        let values = FrameTemplate.Values(seq: seq, time: time, push: PushID(push), number: number)
        return (template(values, seq: seq, time: time, push: push, number: number), values)
    }

    @Test func `values with the same number of digits are overwritten in place`() {
        var (last, _) = Self.template(10, 1_700_000_000_000, 100, 1)
        var random: UInt64 = 9
        for _ in 0..<1000 {
            random = random &* 6_364_136_223_846_793_005 &+ 1
            let (next, values) = Self.template(
                10 + random >> 60, Int64(random >> 22), 100 + (random >> 30) % 900, UInt32(random >> 40) % 10)
            let isWritten = last.overwrite(values)
            #expect(isWritten)
            #expect(last.bytes == next.bytes)
        }
    }

    @Test(
        arguments: [(9, 100, 1), (100, 100, 1), (10, 99, 1), (10, 1000, 1), (10, 100, 10), (1_000_000_000, 100, 1)]
            as [(UInt64, UInt64, UInt32)])
    func `a value with more or fewer digits can't be overwritten`(_ seq: UInt64, _ push: UInt64, _ number: UInt32) {
        var (last, _) = Self.template(10, 0, 100, 1)
        let isWritten = last.overwrite(Self.template(seq, 0, push, number).values)
        #expect(!isWritten)
    }
}
