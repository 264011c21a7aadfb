import PushCore
import Testing

/// Durations as people read them.
@Suite struct DurationTextTests {
    @Test(
        arguments: [
            (0, "0 ms"), (999, "999 ms"), (1000, "1 s"), (1001, "2 s"), (119_000, "119 s"), (120_000, "2 min"),
            (3_600_000, "60 min"), (3_660_372, "61 min 1 s"), (7_199_000, "119 min 59 s"), (7_200_000, "2 h"),
            (11_560_000, "3 h 12 min"), (172_800_000, "2 days"), (190_000_000, "2 days 4 h"),
            (UInt64.max, "213503982334 days 14 h"),
        ] as [(UInt64, String)])
    func `a duration is readable, whatever its length`(milliseconds: UInt64, text: String) {
        #expect(DurationText.readable(milliseconds) == text)
    }
}
