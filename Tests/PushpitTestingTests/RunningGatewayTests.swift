import PushpitTesting
import Testing

/// A test kit for a gateway that runs already.
@Suite struct RunningGatewayTests {
    private func withBoth(_ body: (TestGateway, TestGateway) throws -> Void) throws {
        try TestGateway.run(.live) { live in
            let url = try #require(live.url)
            let directory = try #require(live.credentials?.directory)
            try body(live, try TestGateway.running(at: url, certificates: directory))
        }
    }

    @Test func `pushes, phones, events and the clock are those of the running gateway`() throws {
        try withBoth { live, running in
            let phone = try running.phone()
            let token = try #require(phone.welcome["device"]["tokens"]["apns"]["token"].string)
            try running.push(to: token)
            _ = try phone.nextEvent("presented")
            #expect(running.events().map(\.kind) == live.events().map(\.kind))
            #expect(running.events().map(\.id) == live.events().map(\.id))
            #expect(running.milliseconds == live.milliseconds)
            running.advanceClock(by: .seconds(7200))
            #expect(running.milliseconds == live.milliseconds + 7_200_000)
            // The kit signs a new token, because the clock has moved by two hours.
            try #expect(running.push(to: token).status == 200)
            running.shutDown()
            try #expect(running.push(to: token).status == 200)
        }
    }

    @Test func `mistakes have one sentence`() throws {
        try withBoth { live, _ in
            let url = try #require(live.url)
            #expect(throws: TestFailure.self) { try TestGateway.running(at: url, certificates: "/nowhere") }
            let directory = try #require(live.credentials?.directory)
            #expect {
                _ = try TestGateway.running(at: "no port", certificates: directory)
            } throws: { "\($0)".contains("write it like http://localhost:2197") }
            let running = try TestGateway.running(at: url, certificates: directory)
            #expect(throws: TestFailure.self) { try running.connect(to: .apns) }
        }
    }
}
