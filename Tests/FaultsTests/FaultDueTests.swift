import PushCore
import Testing

@testable import Faults

/// When a fault that matches is due, and how long it lasts.
@Suite struct FaultDueTests {
    /// When a fault is due: its conditions, and the numbers of the pushes that it hits among ten.
    @Test(
        arguments: [
            (#""nth":3"#, [3]), (#""every":3"#, [3, 6, 9]), (#""after":7"#, [8, 9, 10]), (#""times":2"#, [1, 2]),
            (#""every":2,"times":2"#, [2, 4]), (#""after":2,"every":3"#, [3, 6, 9]), (#""probability":0"#, []),
            (#""probability":1"#, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ] as [(String, [Int])])
    func `a fault counts the requests that match`(conditions: String, expected: [Int]) throws {
        let fixture = FaultFixture()
        try fixture.fault(#"{"match":{"pushType":"alert"},\#(FaultFixture.refusal),\#(conditions)}"#)
        var hit: [Int] = []
        for number in 1...10 {
            // Others do not count.
            fixture.push()
            if fixture.push(type: "alert") != nil { hit.append(number) }
        }
        #expect(hit == expected)
        let fault = try #require(fixture.book.faults.first)
        #expect((fault.seen, fault.fired) == (10, expected.count))
    }

    @Test func `random choices follow from the seed, and the same seed repeats them`() throws {
        func hits(_ seed: String) throws -> [Bool] {
            let fixture = FaultFixture()
            try fixture.fault(#"{\#(FaultFixture.refusal),"probability":0.5,"seed":\#(seed)}"#, seed: 99)
            return (0..<64).map { _ in fixture.push() != nil }
        }
        let first = try hits("1")
        #expect(try hits("1") == first)
        #expect(try hits("2") != first)
        #expect(try hits("99") == hits("null"))
        #expect((16...48).contains(first.count(where: \.self)))
    }

    @Test func `requests are counted for the gateway, a connection or a token`() throws {
        for (per, expected) in [("gateway", [2]), ("connection", [2, 4]), ("token", [2, 4])] {
            let fixture = FaultFixture()
            try fixture.fault(#"{\#(FaultFixture.refusal),"nth":2,"per":"\#(per)"}"#)
            let tokens = ["a1", "a1", "b2", "b2"].map { String(repeating: $0, count: 32) }
            var hit: [Int] = []
            for (index, token) in tokens.enumerated() {
                // Each token comes on its own connection.
                if index == 2 { fixture.connection = FaultMemory() }
                if fixture.push(token) != nil { hit.append(index + 1) }
            }
            #expect(hit == expected, "\(per)")
        }
    }

    @Test func `tokens that are too long to be real share one count`() throws {
        let fixture = FaultFixture()
        try fixture.fault(#"{\#(FaultFixture.refusal),"nth":99,"per":"token"}"#)
        let longest = String(repeating: "a", count: 1100)
        for more in ["", "a", "aa"] { fixture.push(longest + more) }
        let counts = try #require(fixture.book.faults.first).countsByToken
        #expect(counts == [longest: 1, "": 2])
    }

    @Test func `the first fault that is due wins`() throws {
        let fixture = FaultFixture()
        try fixture.fault(#"{\#(FaultFixture.refusal),"nth":2}"#)
        try fixture.fault(#"{"effect":{"answer":{"status":503,"reason":"Shutdown"}}}"#)
        #expect((0..<3).map { _ in fixture.push() } == ["f2", "f1", "f2"])
        let removed = (0..<2).map { _ in fixture.book.remove("f2") }
        #expect(removed == [true, false])
        #expect(fixture.push() == nil)
    }

    @Test func `a fault ends after its time`() throws {
        let fixture = FaultFixture()
        try fixture.fault(#"{\#(FaultFixture.refusal),"for":"5s"}"#)
        #expect(fixture.push() == "f1")
        fixture.now = fixture.now + 5000
        #expect(fixture.push() == "f1")
        fixture.now = fixture.now + 1
        #expect(fixture.push() == nil)
    }

    @Test func `a sticky fault stays with its connection until it is removed`() throws {
        let fixture = FaultFixture()
        try fixture.fault(#"{"match":{"pushType":"alert"},"effect":{"wire":"wedged500"},"times":1}"#)
        #expect(fixture.push() == nil)
        #expect(fixture.push(type: "alert") == "f1")
        #expect(fixture.push() == "f1")
        let stuck = fixture.connection
        fixture.connection = FaultMemory()
        #expect(fixture.push() == nil)
        fixture.connection = stuck
        #expect(fixture.push() == "f1")
        let fault = try #require(fixture.book.faults.first)
        #expect((fault.seen, fault.fired) == (3, 3))
        fixture.book.removeAll()
        #expect(fixture.push() == nil)
    }
}
