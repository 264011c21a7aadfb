import PushEngine
import PushpitTesting
import Testing

@testable import Gateway

/// A broadcast to many devices is done in slices: other work has its turn between them.
@Suite struct FairnessTests {
    private func withDevices(_ count: Int, _ body: (TestGateway, EmbeddedHost) throws -> Void) throws {
        try TestGateway.run { gateway in
            let made = try gateway.ask(
                "POST", "/devices", ["platform": "android", "app": "com.example.droid", "count": TestJSON(count)],
                status: 201)
            for device in made["devices"].array {
                try gateway.ask("PUT", "/topics/t/devices/\(device["id"].string ?? "")", status: 204)
            }
            try body(gateway, gateway.embedded)
        }
    }

    private func delivered(_ gateway: TestGateway) -> Int { gateway.events().count { $0.kind == "delivered" } }

    /// Takes the turns that the gateway asks for; how many deliveries there were after each.
    private func turns(_ gateway: TestGateway, _ host: EmbeddedHost) -> [Int] {
        var counts: [Int] = []
        while host.takeTurn() { counts.append(delivered(gateway)) }
        return counts
    }

    @Test func `a message to a topic is delivered in slices of 64 devices`() throws {
        try withDevices(200) { gateway, host in
            host.takesTurnsManually = true
            try #expect(gateway.sendFCM(["topic": "t", "data": ["k": "v"]]).status == 200)
            #expect(delivered(gateway) == 64, "the provider's own turn does the first slice")
            #expect(turns(gateway, host) == [128, 192, 200])
        }
    }

    @Test func `the provider is answered before the first device gets anything`() throws {
        try withDevices(10) { gateway, host in
            let phone = try gateway.phone("android", hello: ["wants": ["push"]])
            try phone.ask("topic", ["op": "subscribe", "name": "t"])
            phone.isReading = false
            host.takesTurnsManually = true
            let call = try gateway.start(
                "POST", "/v1/projects/shop/messages:send", headers: ["authorization": "Bearer x"],
                body: Array(#"{"message":{"topic":"t"}}"#.utf8))
            try #expect(call.answer().status == 200)
        }
    }

    @Test func `other requests are answered between slices`() throws {
        try withDevices(300) { gateway, host in
            host.takesTurnsManually = true
            for _ in 0..<3 { try #expect(gateway.sendFCM(["topic": "t", "data": ["k": "v"]]).status == 200) }
            let before = delivered(gateway)
            #expect(before < 3 * 300)
            try #expect(gateway.send("GET", "/livez").status == 200)
            try #expect(gateway.ask("GET", "/devices?limit=1")["devices"].array.count == 1)
            #expect(delivered(gateway) < 3 * 300)
            let counts = turns(gateway, host)
            #expect(counts.last == 900)
            #expect(counts.count > 4)
        }
    }

    @Test func `a push to one device does not wait for a broadcast`() throws {
        try withDevices(300) { gateway, host in
            let phone = try gateway.phone("ios", hello: ["wants": ["push"]])
            host.takesTurnsManually = true
            try gateway.sendFCM(["topic": "t", "data": ["k": "v"]])
            try #expect(gateway.push(to: phone.token()).status == 200)
            try #expect(phone.received().map { $0["id"] } == ["p2"])
            #expect(delivered(gateway) < 301)
            _ = turns(gateway, host)
            #expect(delivered(gateway) == 301)
        }
    }

    @Test func `with too much work left, a turn of the loop goes on until there is less`() throws {
        try withDevices(100) { gateway, host in
            host.takesTurnsManually = true
            let calls = try host.holding {
                try (0..<80).map { _ in
                    try gateway.start(
                        "POST", "/v1/projects/shop/messages:send", headers: ["authorization": "Bearer x"],
                        body: Array(#"{"message":{"topic":"t"}}"#.utf8))
                }
            }
            for call in calls { try #expect(call.answer().status == 200) }
            #expect(host.takeTurn())
            // 80 broadcasts count for 16 pieces each; below 1,024 pieces others have their turn.
            let left = host.gateway.box.engine.pendingWork.fanOuts.count
            #expect(16 * left < 1024 && left > 50, "\(left) are left")
            _ = turns(gateway, host)
            #expect(delivered(gateway) == 80 * 100)
        }
    }

    @Test func `devices created during a broadcast do not get it, even at the index of a removed device`()
        throws
    {
        try withDevices(100) { gateway, host in
            host.takesTurnsManually = true
            try gateway.sendFCM(["topic": "t", "data": ["k": "v"]])
            let last = try #require(try gateway.ask("GET", "/devices?limit=1000")["devices"].array.first)
            try gateway.ask("DELETE", "/devices/\(last["id"].string ?? "")", status: 204)
            let made = try gateway.ask(
                "POST", "/devices", ["platform": "android", "app": "com.example.droid", "id": "new"], status: 201)
            #expect(made["devices"].array.count == 1)
            try gateway.ask("PUT", "/topics/t/devices/new", status: 204)
            _ = turns(gateway, host)
            #expect(!gateway.events().contains { $0.device == "new" && $0.kind == "delivered" })
        }
    }
}
