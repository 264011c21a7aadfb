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

    @Test func `the log calls a device new if the push has made it`() throws {
        try TestGateway.run(.embedded) { gateway in
            func last() -> String { gateway.embedded.log.lines.last ?? "" }
            try gateway.push()
            #expect(
                last().contains(" d1 ios ") && last().hasSuffix(" 200 presented (new device; see --unknown-devices)"))
            try gateway.push()
            #expect(last().hasSuffix(" 200 presented"))
            let token = "cUnknownInstallation01:APA91b" + String(repeating: "x", count: 134)
            try gateway.sendFCM(["token": TestJSON(token), "data": ["a": "1"]])
            #expect(last().contains(" d2 android ") && last().contains(" (new device; "), "\(last())")
            let phone = try gateway.phone()
            try gateway.push(to: phone.token())
            #expect(last().hasSuffix(" 200 presented"))
            #expect(gateway.embedded.log.lines.count == 4)
        }
    }
}
