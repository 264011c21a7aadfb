import Devices
import PushEngine
import PushpitTesting
import Testing

@testable import Gateway

/// Calls about many devices take several turns, and do the same as in one turn.
@Suite struct DeviceQueryTests {
    private static let crowd: TestJSON = ["platform": "android", "app": "com.example.app", "id": "x", "count": 60]

    /// Starts a call that takes several turns. Returns its answer after all turns.
    private func answer(
        _ gateway: TestGateway, _ method: String, _ path: String, _ body: TestJSON? = nil,
        meanwhile: () throws -> Void = {}
    ) throws -> TestResponse {
        let (host, other) = (gateway.embedded, try gateway.connect())
        host.takesTurnsManually = true
        defer { host.takesTurnsManually = false }
        let call = try gateway.start(method, "/api/v1" + path, body: body?.bytes ?? [])
        try #expect(call.answerSoFar() == nil)
        try #expect(other.send("GET", "/livez").status == 200)
        try meanwhile()
        try #expect(call.answerSoFar() == nil, "another call is answered before it")
        #expect(SlowClock.takeTurns(host) > 3)
        return try call.answer()
    }

    private func ids(_ gateway: TestGateway, _ query: String = "limit=1000") throws -> [String] {
        try gateway.ask("GET", "/devices?\(query)")["devices"].array.compactMap { $0["id"].string }
    }

    private static let late: TestJSON = ["platform": "web", "app": "a", "id": "late"]
    private static let numbered = (1...60).map { "x-\($0)" }

    @Test func `devices are made, listed and deleted in several turns`() throws {
        try SlowClock.withSlowClock { gateway, _ in
            let made = try answer(gateway, "POST", "/devices", Self.crowd)
            #expect(made.status == 201)
            #expect(made.json["devices"].array.compactMap { $0["id"].string } == Self.numbered)
            let list = try answer(gateway, "GET", "/devices?limit=1000")
            #expect(list.json["devices"] == made.json["devices"])
            #expect(list.json["next"] == nil)
            let none = try answer(gateway, "GET", "/devices?limit=1000&app=none")
            #expect(none.json["devices"] == [])
            let reset = try answer(gateway, "POST", "/reset")
            #expect(reset.json["devices"] == 60)
            try #expect(ids(gateway) == [])
        }
    }

    @Test func `a list ends with the devices that were there when it began`() throws {
        try SlowClock.withSlowClock { gateway, _ in
            _ = try answer(gateway, "POST", "/devices", Self.crowd)
            let other = try gateway.connect()
            let list = try answer(gateway, "GET", "/devices?limit=1000") {
                try #expect(other.send("POST", "/api/v1/devices", body: Self.late.bytes).status == 201)
                try gateway.api("DELETE", "/devices/x-60")
            }
            #expect(list.json["devices"].array.compactMap { $0["id"].string } == Self.numbered.dropLast())
        }
    }

    @Test func `a reset keeps the devices that are made while it runs`() throws {
        try SlowClock.withSlowClock { gateway, _ in
            _ = try answer(gateway, "POST", "/devices", Self.crowd)
            let other = try gateway.connect()
            let reset = try answer(gateway, "POST", "/reset") {
                try #expect(other.send("POST", "/api/v1/devices", body: Self.late.bytes).status == 201)
            }
            #expect(reset.json["devices"] == 60)
            try #expect(ids(gateway) == ["late"])
        }
    }

    @Test func `if another call takes an id, all devices of the first are deleted again`() throws {
        try SlowClock.withSlowClock { gateway, host in
            // The ids are checked in the first turns, and one of them is taken while the devices are made.
            let crowd = Self.crowd.merging(["count": 200])
            let other = try gateway.connect()
            host.takesTurnsManually = true
            let call = try gateway.start("POST", "/api/v1/devices", body: crowd.bytes)
            while host.gateway.box.engine.devices.count == 0, host.takeTurn() { host.settle() }
            let one: TestJSON = ["platform": "web", "app": "a", "id": "x-150"]
            try #expect(other.send("POST", "/api/v1/devices", body: one.bytes).status == 201)
            #expect(SlowClock.takeTurns(host) > 3)
            host.takesTurnsManually = false
            let answer = try call.answer()
            #expect(answer.status == 409)
            #expect(answer.json["error"]["code"] == "conflict")
            let message = try #require(answer.json["error"]["message"].string)
            #expect(message.hasPrefix("Meanwhile, another call has made the device 'x-150'. 149 devices that"))
            try #expect(ids(gateway) == ["x-150"])
        }
    }

    @Test func `tracking is listed in several turns`() throws {
        try SlowClock.withSlowClock { gateway, host in
            for number in 0..<60 {
                try #expect(gateway.send("GET", "/r/?id=h\(number),1,1").status == 200)
            }
            host.takesTurnsManually = false
            let whole = try gateway.ask("GET", "/tracking?limit=1000")
            #expect(whole["hits"].array.count == 60)
            let sliced = try answer(gateway, "GET", "/tracking?limit=1000")
            #expect(sliced.json == whole)
        }
    }
}
