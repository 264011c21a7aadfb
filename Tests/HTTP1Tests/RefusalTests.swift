import HTTP1
import Testing

struct RefusalTests {
    @Test(arguments: Refusal.allCases)
    func `a refusal has a status, a stable id, a meaning and a remedy`(_ refusal: Refusal) {
        #expect([400, 408, 413, 414, 417, 431, 501, 505].contains(refusal.status))
        #expect(refusal.id.hasPrefix("http1."))
        #expect(refusal.id.dropFirst(6).allSatisfy { $0.isLowercase || "-.01".contains($0) })
        #expect(refusal.meaning.hasSuffix("."))
        #expect(refusal.remedy.hasSuffix("."))
        #expect(refusal.reason == "\(refusal.meaning) \(refusal.remedy)")
    }

    @Test func `no two refusals share an id`() {
        #expect(Set(Refusal.allCases.map(\.id)).count == Refusal.allCases.count)
    }

    @Test func `the refusals that only the caller uses have the right status`() {
        #expect(Refusal.timeout.status == 408)
        #expect(Refusal.bodyTooLarge.status == 413)
    }

    @Test func `every refusal that the parser throws is in the table of a test`() {
        let tables =
            MalformedHeadTests.requestLines + MalformedHeadTests.lines + MalformedHeadTests.fields
            + MalformedHeadTests.hosts + MalformedHeadTests.lengths + MalformedHeadTests.encodings
            + MalformedHeadTests.expectations + MalformedBodyTests.chunks
        let seen = Set(tables.compactMap { $0.events.last?.split(separator: " ").last.map(String.init) })
        // `LimitTests` covers the limits, and two cases are only used by the caller.
        let elsewhere: Set<Refusal> = [
            .requestLineTooLong, .headerTooLarge, .tooManyFields, .chunkLineTooLong, .trailersTooLarge,
            .tooManyTrailers, .timeout, .bodyTooLarge,
        ]
        for refusal in Refusal.allCases where !elsewhere.contains(refusal) {
            #expect(seen.contains(refusal.id), "\(refusal)")
        }
    }
}
