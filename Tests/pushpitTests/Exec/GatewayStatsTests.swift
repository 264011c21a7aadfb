import Testing

@testable import pushpit

/// What `exec --url` learns from the statistics before and after its command.
@Suite struct GatewayStatsTests {
    private func stats(
        _ run: String, events: Int, accepted: Int = 0, refused: Int = 0, deleted: Int = 0
    ) -> GatewayStats {
        let counts = #""accepted":\#(accepted),"refused":\#(refused),"deleted":\#(deleted)"#
        return GatewayStats(Array(#"{"run":"\#(run)","events":\#(events),\#(counts)}"#.utf8))
    }

    @Test(arguments: [("a", 5, true), ("a", 7, true), ("a", 4, false), ("b", 7, false)])
    func `a gateway that was started again without its events is noticed`(run: String, events: Int, continues: Bool) {
        #expect(stats(run, events: events).continues(stats("a", events: 5)) == continues)
    }

    @Test(
        arguments: [(5, 3, 2, 2), (3, 1, 0, 0), (2, 1, 2, 1), (9, 0, 9, 0)])
    func `pushes are counted from the start of the command, or of the gateway if that is later`(
        accepted: Int, refused: Int, newlyAccepted: Int64, newlyRefused: Int64
    ) {
        let before = stats("a", events: 1, accepted: 3, refused: 1)
        let pushes = stats("a", events: 2, accepted: accepted, refused: refused).pushes(since: before)
        #expect(pushes == (newlyAccepted, newlyRefused, 0))
    }

    @Test func `without statistics of before, all pushes count`() {
        #expect(stats("a", events: 2, accepted: 4, refused: 1, deleted: 2).pushes(since: nil) == (4, 1, 2))
    }

    @Test(arguments: [(5, 2), (3, 0), (1, 1)])
    func `pushes that were deleted meanwhile are counted`(deleted: Int, newlyDeleted: Int64) {
        let before = stats("a", events: 1, deleted: 3)
        #expect(stats("a", events: 2, deleted: deleted).pushes(since: before).deleted == newlyDeleted)
    }
}
