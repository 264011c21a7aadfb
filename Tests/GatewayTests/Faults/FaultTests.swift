import PushpitTesting
import Testing

@testable import Gateway

/// What faults do to answers and to the connections that they come on.
@Suite struct FaultTests {
    typealias Kind = TestGateway.Kind

    static let answers: [(String, Int, String)] = [
        ("503Shutdown", 503, #"{"reason":"Shutdown"}"#),
        ("500InternalServerError", 500, #"{"reason":"InternalServerError"}"#),
        ("429TooManyRequests", 429, #"{"reason":"TooManyRequests"}"#), ("badJSONBody", 400, #"{"reason":"Bad"#),
        ("htmlBody", 502, "<html><body><h1>502 Bad Gateway</h1></body></html>"), ("emptyErrorBody", 500, ""),
    ]

    @Test(arguments: Kind.allCases) func `an answer is replaced once, and nothing is delivered`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            for (name, status, body) in Self.answers {
                try gateway.setFault(["wire": TestJSON(name)], ["times": 1])
                let answer = try gateway.push(to: phone.token())
                #expect(answer.status == status, "\(name)")
                #expect(answer.text.hasPrefix(body), "\(name): \(answer.text)")
                #expect(answer["apns-id"]?.count == 36)
            }
            try #expect(phone.pushes() == [])
            try #expect(gateway.push(to: phone.token()).status == 200)
        }
    }

    @Test(arguments: Kind.allCases) func `a reset has its code, and the connection lives on`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let connection = try gateway.connect()
            for (name, code) in [
                ("CANCEL", UInt32(8)), ("REFUSED_STREAM", 7), ("INTERNAL_ERROR", 2), ("ENHANCE_YOUR_CALM", 11),
            ] {
                try gateway.setFault(["reset": TestJSON(name)], ["times": 1])
                let call = try gateway.startPush(on: connection)
                let failure = #expect(throws: TestFailure.self) { try call.answer() }
                #expect(failure?.cause == .reset(code))
            }
            try #expect(gateway.startPush(on: connection).answer().status == 200)
        }
    }

    @Test func `a lost answer and a duplicate reach the device, a refused stream does not`() throws {
        try TestGateway.run { gateway in
            for (name, count) in [("refusedStream", 0), ("lostResponse", 1), ("duplicateDelivery", 1)] {
                let phone = try gateway.phone(hello: ["wants": ["push"]])
                let connection = try gateway.connect()
                try gateway.setFault(["wire": TestJSON(name)], ["times": 1])
                let call = try gateway.startPush(to: phone.token(), on: connection)
                #expect(throws: TestFailure.self) { try call.answer() }
                try #expect(phone.pushes().count == count, "\(name)")
            }
        }
    }

    @Test(arguments: Kind.allCases) func `an answer is cut in its head or its body`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let rows: [(TestJSON, String)] = [
                (["resetAfterHeaders": "CANCEL"], ""), (["truncate": 0], ""), (["truncate": 5], #"{"rea"#),
                (["truncate": 1000], #"{"reason":"Shutdown"}"#),
            ]
            for (cut, body) in rows {
                let connection = try gateway.connect()
                try gateway.setFault([["answer": ["status": 503, "reason": "Shutdown"]], cut], ["times": 1])
                let call = try gateway.startPush(on: connection)
                #expect(throws: TestFailure.self) { try call.answer() }
                try #expect(call.bodySoFar() == body, "\(cut)")
                try #expect(gateway.startPush(on: connection).answer().status == 200)
            }
        }
    }

    @Test func `over HTTP 1 a cut answer ends with a reset of the connection`() throws {
        try TestGateway.run { gateway in
            let body = Array(#"{"message":{"topic":"t"}}"#.utf8)
            for (effect, count) in [
                (["resetAfterHeaders": "CANCEL"], 0), (["truncate": 0], 0), (["truncate": 5], 5),
                (["truncate": 40], 40),
            ]
                as [(TestJSON, Int)]
            {
                try gateway.setFault(effect, ["times": 1])
                let connection = try gateway.connect(over: .http1)
                let call = try connection.start(
                    "POST", "/v1/projects/p/messages:send", headers: ["authorization": "Bearer x"], body: body)
                try #expect(connection.isEnded())
                #expect(connection.wasReset)
                try #expect(call.bodySoFar().utf8.count == count, "\(effect)")
                let failure = #expect(throws: TestFailure.self) { try call.answer() }
                #expect(failure?.cause == .ended)
            }
        }
    }

    @Test func `delayed answers come by the gateway's clock, in the order of their times`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["delay": "20s"], ["times": 1])
            let slow = try gateway.startPush()
            try gateway.setFault(["delay": "10s"], ["times": 1])
            let faster = try gateway.startPush()
            let fast = try gateway.startPush()
            try #expect(fast.answer().status == 200)
            gateway.advanceClock(by: .milliseconds(9999))
            try #expect(faster.answerSoFar() == nil)
            gateway.advanceClock(by: .milliseconds(1))
            try #expect(faster.answer().status == 200)
            try #expect(slow.answerSoFar() == nil)
            gateway.advanceClock(by: .seconds(10))
            try #expect(slow.answer().status == 200)
        }
    }

    @Test func `a delayed answer is dropped if its client disconnects, and the next client does not get it`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["delay": "1s"], ["times": 1])
            let gone = try gateway.connect()
            _ = try gateway.startPush(on: gone)
            gone.close()
            let other = try gateway.connect()
            try gateway.setFault(["delay": "2s"], ["times": 1])
            let call = try gateway.startPush(on: other)
            gateway.advanceClock(by: .seconds(1))
            try #expect(call.answerSoFar() == nil)
            gateway.advanceClock(by: .seconds(1))
            try #expect(call.answer().status == 200)
        }
    }
}
