import PushpitTesting
import Testing

@testable import Gateway

/// Which connections are accepted.
@Suite struct AdmissionTests {
    @Test func `too many connections pause accepting, which is one line in the log`() throws {
        try TestGateway.run { gateway in
            let admission = Admission(gateway.embedded.gateway, maximum: 20)
            var open = try (0..<19).map { _ in try gateway.connect(over: .http1) }
            #expect(admission.admits())
            func lines() -> Int { gateway.embedded.log.lines.count { $0.contains("accepting connections paused") } }
            for _ in 0..<3 {
                open.append(try gateway.connect(over: .http1))
                #expect(!admission.admits())
                open.removeLast().close()
                #expect(admission.admits())
                #expect(lines() == 1)
            }
            while open.count > 17 { open.removeLast().close() }
            #expect(admission.admits())
            while open.count < 20 { open.append(try gateway.connect(over: .http1)) }
            #expect(!admission.admits())
            #expect(lines() == 2)
        }
    }

    @Test func `a turn that is over accepts nothing and asks for another`() throws {
        try TestGateway.run { gateway in
            let host = gateway.embedded
            let admission = Admission(host.gateway, maximum: 20)
            host.takesTurnsManually = true
            var now: UInt64 = 1
            host.gateway.turn.readTime = { now }
            #expect(admission.admits())
            now += 2_000_000
            #expect(!admission.admits())
            #expect(host.takeTurn())
            host.gateway.turn.end()
            #expect(admission.admits())
        }
    }
}
