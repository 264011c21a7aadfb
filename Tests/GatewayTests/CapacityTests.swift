import PushpitTesting
import Testing

@testable import Gateway

/// What the gateway refuses because it is full, and what makes room again.
@Suite struct CapacityTests {
    private func offlinePhones(_ count: Int, _ gateway: TestGateway) throws -> [TestPhone] {
        try (0..<count).map { _ in try gateway.phone("ios", ["state": ["online": false]], hello: ["wants": []]) }
    }

    @Test func `a push that would have to wait is refused when too many wait`() throws {
        var configuration = TestConfiguration()
        configuration.waitingByteCapacity = 1
        try TestGateway.run(.embedded, configuration) { gateway in
            let phones = try offlinePhones(3, gateway)
            let online = try gateway.phone()
            try #expect(gateway.push(to: phones[0].token()).status == 200)
            let refused = try gateway.push(to: phones[1].token())
            #expect(refused.status == 503)
            #expect(refused.json == ["reason": "ServiceUnavailable"])
            #expect(gateway.embedded.log.lines.contains { $0.contains("503 ServiceUnavailable: Too many pushes wait") })
            try #expect(gateway.ask("GET", "/devices/\(phones[1].id)/pending")["pending"] == [])
            // A push that does not wait does not count.
            try #expect(gateway.push(to: online.token()).status == 200)
            try #expect(gateway.push(to: phones[2].token(), fields: ["apns-expiration": "0"]).status == 200)
            try phones[0].ask("state", ["set": ["online": true]])
            try #expect(gateway.push(to: phones[1].token()).status == 200)
        }
    }

    @Test func `pushes that have expired make room, looked for once a second`() throws {
        var configuration = TestConfiguration()
        configuration.waitingByteCapacity = 1
        try TestGateway.run(.embedded, configuration) { gateway in
            let phones = try offlinePhones(2, gateway)
            let soon = "\(gateway.milliseconds / 1000 + 60)"
            try #expect(gateway.push(to: phones[0].token(), fields: ["apns-expiration": soon]).status == 200)
            gateway.advanceClock(by: .seconds(59))
            try #expect(gateway.push(to: phones[1].token()).status == 503)
            gateway.advanceClock(by: .seconds(2))
            try #expect(gateway.push(to: phones[1].token()).status == 200)
            #expect(
                gateway.events().contains {
                    $0.kind == "dropped" && $0.why == "apns.discarded-expired" && $0.push == "p1"
                })
        }
    }

    @Test
    func `a message to an offline device is dropped when too many wait, because FCM has no error for it`() throws {
        var configuration = TestConfiguration()
        configuration.waitingByteCapacity = 1
        try TestGateway.run(.embedded, configuration) { gateway in
            let phones = try (0..<2).map { _ in try gateway.phone("android", ["state": ["online": false]]) }
            for phone in phones {
                try #expect(gateway.sendFCM(["token": TestJSON(phone.token("fcm")), "data": ["a": "1"]]).status == 200)
            }
            #expect(gateway.events().filter { $0.kind == "dropped" }.map(\.why) == ["devices.storage-full"])
            try #expect(gateway.ask("GET", "/devices/\(phones[1].id)/pending")["pending"] == [])
        }
    }

    @Test func `a push to an unknown token is refused when every device is watched`() throws {
        var configuration = TestConfiguration()
        configuration.deviceCapacity = 2
        try TestGateway.run(.embedded, configuration) { gateway in
            let phones = try (0..<2).map { _ in try gateway.phone() }
            let refused = try gateway.push()
            #expect(refused.status == 503)
            #expect(refused.json == ["reason": "ServiceUnavailable"])
            try #expect(gateway.ask("GET", "/stats")["devices"] == 2)
            for phone in phones { try #expect(gateway.push(to: phone.token()).status == 200) }
            try gateway.ask("DELETE", "/devices/\(phones[0].id)", status: 204)
            try #expect(gateway.push().status == 200)
        }
    }

    @Test
    func `the oldest device that a push created is removed first, and devices that clients created stay`() throws {
        var configuration = TestConfiguration()
        configuration.deviceCapacity = 3
        try TestGateway.run(.embedded, configuration) { gateway in
            let kept = try gateway.ask("POST", "/devices", ["platform": "ios", "app": "a", "id": "kept"], status: 201)
            #expect(kept["devices"].array.count == 1)
            let tokens = ["1", "2", "3"].map { String(repeating: $0, count: 64) }
            for token in tokens { try #expect(gateway.push(to: token).status == 200) }
            let gone = gateway.events().filter { $0.kind == "unregistered" }
            #expect(gone.map(\.why) == ["devices.capacity"])
            #expect(gone.first?.device == gateway.events().first { $0.push == "p1" }?.device)
            try gateway.ask("GET", "/devices/kept")
        }
    }

    @Test func `a client's device is refused when there is no room`() throws {
        var configuration = TestConfiguration()
        configuration.deviceCapacity = 1
        try TestGateway.run(.embedded, configuration) { gateway in
            let phone = try gateway.phone()
            try gateway.ask("POST", "/devices", ["platform": "ios", "app": "a"], status: 409)
            let other = try gateway.socket()
            try #expect(other.ask("hello", ["device": ["platform": "ios", "app": "a"]])["code"] == "noRoom")
            try gateway.ask("DELETE", "/devices/\(phone.id)", status: 204)
            try other.hello(["platform": "ios", "app": "a"])
        }
    }

    @Test func `an inbox owes a client its newest pushes only`() throws {
        try TestGateway.run { gateway in
            let first = try gateway.phone(hello: ["manualAck": true, "wants": ["push"]])
            let count = 1100
            for _ in 0..<count { try gateway.push(to: first.token()) }
            try #expect(first.pushes().count == count)
            try first.close()
            let second = try gateway.phone(watching: first, hello: ["manualAck": true, "wants": ["push"]])
            let owed = try second.pushes()
            #expect(owed.first?["id"].string == "p\(count - owed.count + 1)")
            #expect(owed.last?["id"].string == "p\(count)")
            #expect(owed.count == 1000)
        }
    }
}
