import PushpitTesting
import Testing

@testable import Gateway

/// Sockets that come and go, and what they have received.
@Suite struct ResumeTests {
    typealias Kind = TestGateway.Kind

    /// Numbers and attempts of the pushes among some messages.
    private func attempts(_ messages: [TestJSON]) -> [[String: Int]] {
        messages.filter { $0["type"] == "push" }.map { [$0["id"].string ?? "": $0["attempt"].int ?? 0] }
    }

    private func resuming(_ seq: TestJSON) -> TestJSON { ["resume": ["after": seq]] }

    @Test(arguments: Kind.allCases)
    func `a device stays when its socket closes, and its client can resume`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let first = try gateway.phone()
            try gateway.push(to: first.token())
            let seen = try first.nextEvent("presented")["seq"]
            try first.close()
            for _ in 0..<2 { try gateway.push(to: first.token()) }
            let second = try gateway.phone(watching: first, hello: resuming(seen))
            #expect(second.welcome["resumed"] == true)
            #expect(second.welcome["missed"] == 0)
            // The pushes of before were sent to no socket yet.
            for id in ["p2", "p3"] {
                let push = try second.next("push")
                #expect(push["id"].string == id)
                #expect(push["attempt"] == 1)
            }
            try gateway.push(to: first.token())
            try #expect(attempts([second.next("push")]) == [["p4": 1]])
            // From the beginning: pushes that were sent before are marked.
            let third = try gateway.phone(watching: first, hello: resuming(0))
            let again = try (0..<4).map { _ in try third.next("push") }
            #expect(attempts(again) == [["p1": 2], ["p2": 2], ["p3": 2], ["p4": 2]])
        }
    }

    @Test func `a client can't resume after a number that does not exist yet`() throws {
        try TestGateway.run { gateway in
            let first = try gateway.phone()
            let second = try gateway.phone(
                watching: first, hello: resuming(TestJSON((first.welcome["seq"].int ?? 0) + 1)))
            #expect(second.welcome["resumed"] == false)
            #expect(second.welcome["missed"] == 0)
        }
    }

    @Test(arguments: Kind.allCases) func `events are resumed with their pushes in order`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let first = try gateway.phone()
            for _ in 0..<3 { try gateway.push(to: first.token()) }
            let live = try (0..<9).map { _ in try first.next() }
            let second = try gateway.phone(watching: first, hello: resuming(first.welcome["seq"]))
            let again = try (0..<9).map { _ in try second.next() }
            #expect(again.map { $0.keys.contains("attempt") ? $0.merging(["attempt": 1]) : $0 } == live)
        }
    }

    @Test(arguments: Kind.allCases) func `a push that is not acknowledged is sent again`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let manual: TestJSON = ["manualAck": true]
            let first = try gateway.phone(hello: manual)
            for _ in 0..<4 { try gateway.push(to: first.token()) }
            for _ in 0..<4 { _ = try first.next("push") }
            try #expect(first.ask("ack", ["ids": ["p2"]])["type"] == "ok")
            try #expect(first.ask("nack", ["id": "p4", "code": 301])["type"] == "ok")
            try first.close()
            let second = try gateway.phone(watching: first, hello: manual)
            try #expect(attempts(second.received()) == [["p1": 2], ["p3": 2]])
            try second.close()
            let third = try gateway.phone(watching: first, hello: manual)
            try #expect(attempts(third.received()) == [["p1": 3], ["p3": 3]])
            try #expect(third.ask("ack", ["upTo": third.welcome["seq"]])["type"] == "ok")
            try third.close()
            let fourth = try gateway.phone(watching: first, hello: manual)
            try gateway.push(to: first.token())
            try #expect(attempts([fourth.next("push")]) == [["p5": 1]])
            try #expect(attempts(fourth.received()) == [])
        }
    }

    @Test func `a nack is an event with its code`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone(hello: ["manualAck": true])
            try gateway.push(to: phone.token())
            try phone.ask("nack", ["id": "p1", "code": 302])
            let event = try phone.nextEvent("callback")
            #expect(event["data"] == ["name": "nack", "code": 302])
            #expect(event["push"] == "p1")
        }
    }

    @Test func `pushes for a socket that has just closed are sent again`() throws {
        try TestGateway.run { gateway in
            let host = gateway.embedded
            let first = try gateway.phone(hello: ["manualAck": true])
            host.takesTurnsManually = true
            let calls = try (0..<200).map { _ in try gateway.startPush(to: first.token()) }
            // Frames wait in the gateway for the socket; it goes before its turn.
            first.dropConnection()
            host.takesTurnsManually = false
            host.gateway.scheduleWork()
            for call in calls { try #expect(call.answer().status == 200) }
            let second = try gateway.phone(watching: first, hello: ["manualAck": true])
            let owed = try second.pushes().map { $0["id"].string }
            #expect(owed == (1...200).map { "p\($0)" })
        }
    }

    static let badAcknowledgements: [(String, TestJSON, String)] = [
        ("ack", [:], "/ids"), ("ack", ["ids": "p1"], "/ids"), ("ack", ["ids": [1]], "/ids"),
        ("ack", ["ids": ["x1"]], "/ids"),
        ("ack", ["upTo": 1, "code": 7], "/code"), ("nack", ["id": "p1", "code": 1], "/code"),
        ("nack", ["code": 301], "/id"),
    ]

    @Test func `a wrong acknowledgement is an error with a pointer`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            for (type, fields, pointer) in Self.badAcknowledgements {
                try #expect(phone.ask(type, fields)["pointer"].string == pointer, "\(type) \(fields)")
            }
        }
    }

    @Test(arguments: Kind.allCases) func `dropped messages are reported to a client that resumes`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let first = try gateway.phone("android", hello: ["offlineWhenDisconnected": true])
            try first.close()
            for number in 0..<103 {
                #expect(
                    try gateway.sendFCM(["token": TestJSON(first.token("fcm")), "data": ["n": TestJSON("\(number)")]])
                        .status == 200)
            }
            let second = try gateway.phone(
                watching: first,
                hello: resuming(first.welcome["seq"]).merging(["offlineWhenDisconnected": true, "wants": ["push"]]))
            try #expect(second.next("deleted")["count"] == 101)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a client that acknowledges does not get pushes again that only other clients had`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let manual: TestJSON = ["manualAck": true]
            let first = try gateway.phone(hello: manual)
            try gateway.push(to: first.token())
            _ = try first.next("push")
            try first.close()
            let second = try gateway.phone(watching: first)
            for _ in 0..<3 { try gateway.push(to: first.token()) }
            for _ in 0..<3 { _ = try second.next("push") }
            let third = try gateway.phone(watching: first, hello: manual)
            try gateway.push(to: first.token())
            try #expect(attempts((0..<2).map { _ in try third.next("push") }) == [["p1": 2], ["p5": 1]])
        }
    }
}
