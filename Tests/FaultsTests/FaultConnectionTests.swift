import Testing

@testable import Faults

/// Faults of connections instead of requests.
@Suite struct FaultConnectionTests {
    @Test func `handshakes and idle connections have faults that hit no request`() throws {
        let fixture = FaultFixture()
        try fixture.fault(#"{"effect":{"tls":"alert"},"nth":2}"#)
        try fixture.fault(#"{"effect":{"wire":"goawayIdle"},"idle":"5s"}"#)
        #expect(fixture.push() == nil)
        #expect(fixture.book.firstOpeningFault(isTLS: true, others: { 0 }, at: fixture.now)?.id == nil)
        #expect(fixture.book.firstOpeningFault(isTLS: true, others: { 0 }, at: fixture.now)?.id == "f1")
        #expect(fixture.book.firstIdleFault(after: 4999, &fixture.connection, at: fixture.now)?.id == nil)
        #expect(fixture.book.firstIdleFault(after: 5000, &fixture.connection, at: fixture.now)?.id == "f2")
    }
}
