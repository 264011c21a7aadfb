import PushCore
import Testing

@testable import PushEngine

/// The page with the counters of an engine.
@Suite struct MetricsTests {
    @Test func `the metrics page counts`() {
        let fixture = EngineFixture()
        fixture.push()
        fixture.push("abc")
        fixture.message(#""token":"abc""#)
        let page = fixture.engine.metrics.page(openConnections: 3, devices: 1, newestEvent: 5, turns: (2_345_678, 4))
        for line in [
            "pushpit_pushes_accepted_total 1", "pushpit_pushes_refused_total 2", "pushpit_connections_open 3",
            "pushpit_devices 1", "pushpit_long_turns_total 4", "pushpit_longest_turn_microseconds 2345",
            "pushpit_events_total 5", "# TYPE pushpit_devices gauge",
        ] {
            #expect(page.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
    }
}
