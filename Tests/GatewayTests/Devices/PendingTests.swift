import PushpitTesting
import Testing

/// The list of pushes that wait for a device.
@Suite struct PendingTests {
    @Test(arguments: TestGateway.Kind.allCases) func `it has only pushes that have not expired`(
        kind: TestGateway.Kind
    ) throws {
        try TestGateway.run(kind) { gateway in
            let phones = try ["ios", "android"].map { try gateway.phone($0, ["state": ["online": false]]) }
            func pending() throws -> [[String?]] {
                try phones.map { phone in
                    try gateway.ask("GET", "/devices/\(phone.id)/pending")["pending"].array.map { $0["id"].string }
                }
            }
            let soon = "\(gateway.milliseconds / 1000 + 60)"
            try gateway.push(to: phones[0].token(), fields: ["apns-expiration": soon])
            let token = TestJSON(phones[1].token("fcm"))
            try gateway.sendFCM(["token": token, "data": ["a": "1"], "android": ["ttl": "60s"]])
            try gateway.sendFCM(["token": token, "data": ["a": "1"]])
            try #expect(pending() == [["p1"], ["p2", "p3"]])
            gateway.advanceClock(by: .seconds(59))
            try #expect(pending() == [["p1"], ["p2", "p3"]])
            gateway.advanceClock(by: .seconds(1))
            try #expect(pending() == [[], ["p3"]])
        }
    }

    @Test func `a device for an unknown token is a line in the log`() throws {
        try TestGateway.run(.embedded) { gateway in
            func lines() -> [String] { gateway.embedded.log.lines.filter { $0.contains(" device made ") } }
            try gateway.push()
            #expect(lines().count == 1)
            let line = try #require(lines().first)
            #expect(line.contains(" info device made device=d1 platform=ios app=com.example.app because="))
            #expect(line.contains("--unknown-devices reject"))
            try gateway.push()
            #expect(lines().count == 1)
            let token = "cUnknownInstallation01:APA91b" + String(repeating: "x", count: 134)
            try gateway.sendFCM(["token": TestJSON(token), "data": ["a": "1"]])
            #expect(lines().count == 2 && lines().last?.contains("device=d2 platform=android") == true)
            _ = try gateway.phone()
            #expect(lines().count == 2)
        }
    }
}
