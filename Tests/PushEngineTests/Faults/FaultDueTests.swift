import Testing

@testable import PushEngine

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
        let fixture = EngineFixture()
        try fixture.fault(#"{"match":{"pushType":"alert"},\#(EngineFixture.refusal),\#(conditions)}"#)
        var hit: [Int] = []
        for number in 1...10 {
            // Others do not count.
            fixture.push()
            if fixture.push(["apns-push-type": "alert"]).fault != nil { hit.append(number) }
        }
        #expect(hit == expected)
        let fault = try #require(fixture.engine.faults.faults.first)
        #expect((fault.seen, fault.fired) == (10, expected.count))
    }

    @Test func `random choices follow from the seed, and the same seed repeats them`() throws {
        func hits(_ seed: String) throws -> [Bool] {
            let fixture = EngineFixture()
            try fixture.fault(#"{\#(EngineFixture.refusal),"probability":0.5,"seed":\#(seed)}"#, seed: 99)
            return (0..<64).map { _ in fixture.push().fault != nil }
        }
        let first = try hits("1")
        #expect(try hits("1") == first)
        #expect(try hits("2") != first)
        #expect(try hits("99") == hits("null"))
        #expect((16...48).contains(first.count(where: \.self)))
    }

    @Test func `requests are counted for the gateway, a connection or a token`() throws {
        for (per, expected) in [("gateway", [2]), ("connection", [2, 4]), ("token", [2, 4])] {
            let fixture = EngineFixture()
            try fixture.fault(#"{\#(EngineFixture.refusal),"nth":2,"per":"\#(per)"}"#)
            let tokens = ["a1", "a1", "b2", "b2"].map { String(repeating: $0, count: 32) }
            var hit: [Int] = []
            for (index, token) in tokens.enumerated() {
                // Each token comes on its own connection.
                if index == 2 { fixture.connection.faults = FaultMemory() }
                if fixture.push(token).fault != nil { hit.append(index + 1) }
            }
            #expect(hit == expected, "\(per)")
        }
    }

    @Test func `tokens that are too long to be real share one count`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{\#(EngineFixture.refusal),"nth":99,"per":"token"}"#)
        let longest = String(repeating: "a", count: 1100)
        for more in ["", "a", "aa"] { fixture.message(#""token":"\#(longest + more)""#) }
        let counts = try #require(fixture.engine.faults.faults.first).countsByToken
        #expect(counts == [longest: 1, "": 2])
    }

    @Test func `the first fault that is due wins`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{\#(EngineFixture.refusal),"nth":2}"#)
        try fixture.fault(#"{"effect":{"answer":{"status":503,"reason":"Shutdown"}}}"#)
        #expect((0..<3).map { _ in fixture.push().fault } == ["f2", "f1", "f2"])
        let removed = (0..<2).map { _ in fixture.engine.faults.remove("f2") }
        #expect(removed == [true, false])
        #expect(fixture.push().fault == nil)
    }

    @Test func `a fault ends after its time`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{\#(EngineFixture.refusal),"for":"5s"}"#)
        #expect(fixture.push().fault == "f1")
        fixture.advance(5000)
        #expect(fixture.push().fault == "f1")
        fixture.advance(1)
        #expect(fixture.push().status == 200)
    }

    @Test func `a sticky fault stays with its connection until it is removed`() throws {
        let fixture = EngineFixture()
        try fixture.fault(#"{"match":{"pushType":"alert"},"effect":{"wire":"wedged500"},"times":1}"#)
        #expect(fixture.push().status == 200)
        #expect(fixture.push(["apns-push-type": "alert"]).status == 500)
        #expect(fixture.push().description == "500 InternalServerError")
        let stuck = fixture.connection.faults
        fixture.connection.faults = FaultMemory()
        #expect(fixture.push().status == 200)
        fixture.connection.faults = stuck
        #expect(fixture.push().status == 500)
        fixture.engine.faults.removeAll()
        #expect(fixture.push().status == 200)
    }
}
