import PushpitTesting
import Testing

/// The embedded phone: a WebSocket client of the device socket.
@Suite struct TestPhoneTests {
    typealias Kind = TestGateway.Kind

    @Test(arguments: Kind.allCases) func `messages wait until they are taken, by type or in order`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            for _ in 0..<2 { try gateway.push(to: phone.token()) }
            try #expect(phone.nextEvent("presented")["push"] == "p1")
            try #expect(phone.nextEvent("presented")["push"] == "p2")
            try #expect(phone.next()["type"] == "push")
            try #expect(phone.next("push")["id"] == "p2")
            try #expect(phone.received().map { $0["kind"] } == ["delivered", "delivered"])
            try #expect(phone.received() == [])
        }
    }

    @Test(arguments: Kind.allCases) func `pushes and events are distinguished`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            try gateway.push(to: phone.token())
            _ = try phone.nextEvent("presented")
            try gateway.push(to: phone.token())
            _ = try phone.nextEvent("presented")
            try #expect(phone.pushes().map { $0["id"] } == ["p1", "p2"])
            try phone.ask("state", ["set": ["locked": true]])
            try #expect(phone.events().map { $0["kind"] } == ["state"])
        }
    }

    @Test(arguments: Kind.allCases) func `a refused hello is an error that contains the answer`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let failure = #expect(throws: TestFailure.self) { try gateway.phone("palm") }
            #expect(failure?.cause == .notMet)
            #expect(failure?.description.contains("/device/platform") == true)
        }
    }

    @Test func `a missing message is an error that lists the waiting ones`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            try gateway.push(to: phone.token())
            let failure = #expect(throws: TestFailure.self) { try phone.next("deleted") }
            #expect(failure?.cause == .nothingArrived)
            #expect(failure?.description.contains(#""kind":"presented""#) == true)
        }
    }

    @Test(arguments: Kind.allCases) func `a closed socket has a code and a reason`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            try gateway.ask("DELETE", "/devices/\(phone.id)", status: 204)
            try #expect(phone.waitForClose() == 4003)
            #expect(phone.closeReason == "the device was deleted")
            let failure = #expect(throws: TestFailure.self) { try phone.next("push") }
            #expect(failure?.cause == .ended)
        }
    }

    @Test func `the device of a client that vanishes stays`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            phone.dropConnection()
            try #expect(gateway.ask("GET", "/devices/\(phone.id)")["connected"] == false)
            let again = try gateway.phone(watching: phone)
            #expect(again.id == phone.id && again.token() == phone.token() && again.token("fcm") == phone.token("fcm"))
        }
    }

    @Test func `a client that does not read is disconnected with 4004`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            phone.isReading = false
            let payload: TestJSON = ["aps": ["alert": TestJSON(String(repeating: "x", count: 4000))]]
            for _ in 0..<200 where !phone.isEnded { try gateway.push(payload, to: phone.token()) }
            phone.isReading = true
            try #expect(phone.waitForClose() == 4004)
            #expect(
                gateway.embedded.log.lines.contains { $0.contains("code=4004") && $0.contains("device=\(phone.id)") })
        }
    }

    @Test(arguments: Kind.allCases) func `pings are answered both ways`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            try phone.ping([1, 2, 3])
            _ = try phone.received()
            #expect(phone.pongs == [[1, 2, 3]])
        }
    }
}
