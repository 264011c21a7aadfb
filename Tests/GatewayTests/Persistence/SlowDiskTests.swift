import PushCore
import PushpitTesting
import Storage
import Testing

@testable import Gateway

/// What a gateway does while its disk is behind, or fails.
@Suite struct SlowDiskTests {
    static let full = StorageError("write", "the disk", because: "it is full")

    @Test func `nothing is read from sockets while too much is unsaved`() throws {
        try Disk.run {
            $0.logCapacity = 200
        } _: { gateway, disk in
            let connection = try gateway.connect()
            var calls: [TestCall] = []
            while connection.isReadByGateway == true, calls.count < 100 {
                calls.append(
                    try connection.start(
                        "POST", "/3/device/\(TestGateway.unknownToken)", headers: gateway.pushFields(),
                        body: Array("{}".utf8)))
            }
            #expect(connection.isReadByGateway == false)
            // Three events each, and one for the new device: reading stops after half of the log's capacity.
            #expect((33...35).contains(calls.count), "\(calls.count)")
            let late = try connection.start("GET", "/livez")
            try #expect(late.answerSoFar() == nil)
            #expect(gateway.embedded.gateway.isPausedForDisk)
            disk.runAll(in: gateway.embedded)
            #expect(!gateway.embedded.gateway.isPausedForDisk)
            #expect(connection.isReadByGateway == true)
            for call in calls { try #expect(call.answer().status == 200) }
            try #expect(late.answer().status == 200)
        }
    }

    @Test func `a connection that comes while the disk is behind is not read either`() throws {
        try Disk.run {
            $0.logCapacity = 40
        } _: { gateway, disk in
            let pushes = try (0..<8).map { _ in try gateway.startPush() }
            #expect(gateway.embedded.gateway.isPausedForDisk)
            let other = try gateway.connect(over: .http1)
            let call = try other.start("GET", "/livez")
            #expect(other.isReadByGateway == false)
            try #expect(call.answerSoFar() == nil)
            disk.runAll(in: gateway.embedded)
            try #expect(call.answer().status == 200)
            for push in pushes { try #expect(push.answer().status == 200) }
        }
    }

    @Test func `pushes are refused before the log could forget one that is not saved`() throws {
        try Disk.run {
            $0.logCapacity = 200
        } _: { gateway, disk in
            // All in one write: the connection is read to its end before reading stops.
            let connection = try gateway.connect()
            _ = try connection.send("GET", "/livez")
            let calls = try gateway.embedded.holding {
                try (0..<100).map { _ in
                    try connection.start(
                        "POST", "/3/device/\(TestGateway.unknownToken)", headers: gateway.pushFields(),
                        body: Array("{}".utf8))
                }
            }
            let refused = try calls.compactMap { try $0.answerSoFar() }
            #expect(Set(refused.map(\.status)) == [503])
            #expect(refused.first?.json == ["reason": "ServiceUnavailable"])
            #expect(refused.first?["apns-id"] != nil)
            #expect((45...55).contains(calls.count - refused.count), "\(refused.count) of 100 were refused")
            #expect(gateway.embedded.log.lines.contains { $0.contains("rule=gateway.disk") && $0.contains("too slow") })
            disk.runAll(in: gateway.embedded)
            #expect(try Set(calls.map { try $0.answer().status }) == [200, 503])
            try #expect(gateway.ask("GET", "/stats")["messages"].int == calls.count - refused.count)
        }
    }

    @Test func `a disk that fails refuses what was held and all that comes, until it recovers`() throws {
        try Disk.run { gateway, disk in
            let host = gateway.embedded
            disk.failure = Self.full
            let held = try gateway.startPush()
            let google = try gateway.start(
                "POST", "/v1/projects/p/messages:send", headers: ["authorization": "Bearer x"],
                body: Array(#"{"message":{"topic":"t"}}"#.utf8))
            disk.runOne(in: host)
            try #expect(held.answer().json == ["reason": "ServiceUnavailable"])
            try #expect(google.answer().json["error"]["status"] == "UNAVAILABLE")
            for _ in 0..<2 {
                try #expect(gateway.push().status == 503)
                try #expect(gateway.sendFCM(["topic": "t"]).status == 503)
            }
            #expect(host.log.lines.count { $0.contains("cannot save the event log") && $0.contains("it is full") } == 1)
            let ready = try gateway.send("GET", "/readyz")
            #expect(ready.status == 503 && ready.text.contains("it is full"), "\(ready.text)")
            let listed = try gateway.ask("GET", "/messages")["messages"].array
            #expect(listed.count == 6)
            #expect(listed.allSatisfy { $0["status"] == 503 })
            #expect(Set(listed.compactMap { $0["reason"].string }) == ["ServiceUnavailable", "UNAVAILABLE"])
            #expect(
                listed.map { $0["outcome"].string } == Array(repeating: "refused", count: 4) + ["accepted", "accepted"])
            // It is tried again after a second, and once more while it fails.
            #expect(disk.count == 0)
            gateway.advanceLoopTime(.milliseconds(500))
            #expect(disk.count == 0)
            gateway.advanceLoopTime(.milliseconds(500))
            #expect(disk.count == 1)
            disk.runOne(in: host)
            #expect(host.log.lines.count { $0.contains("cannot save the event log") } == 1, "it is no news")
            disk.failure = nil
            gateway.advanceLoopTime(.seconds(1))
            disk.runOne(in: host)
            #expect(host.log.lines.count { $0.contains("event log saved again") } == 1)
            try #expect(gateway.send("GET", "/readyz").status == 200)
            let call = try gateway.startPush()
            disk.runAll(in: host)
            try #expect(call.answer().status == 200)
            try #expect(gateway.ask("GET", "/messages")["messages"].array.first?["status"] == 200)
        }
    }

    @Test func `many refused pushes do not make a slow disk refuse others`() throws {
        try Disk.run {
            $0.logCapacity = 200
        } _: { gateway, disk in
            let connection = try gateway.connect()
            _ = try connection.send("GET", "/livez")
            // All in one write: the connection is read to its end before reading stops.
            let calls = try gateway.embedded.holding {
                let refused = try (0..<160).map { _ in try gateway.startPush(to: "x", on: connection) }
                return try refused + [gateway.startPush(on: connection)]
            }
            disk.runAll(in: gateway.embedded)
            let statuses = try calls.map { try $0.answer().status }
            #expect(statuses == Array(repeating: 400, count: 160) + [200])
        }
    }

    @Test func `a broadcast pauses like the sockets while the disk is behind`() throws {
        try Disk.run {
            $0.logCapacity = 200
        } _: { gateway, disk in
            let made = try disk.ask(
                gateway, "POST", "/devices", ["platform": "android", "app": "com.example.droid", "count": 100],
                status: 201)
            for device in made["devices"].array {
                let id = try #require(device["id"].string)
                try disk.ask(gateway, "PUT", "/topics/t/devices/\(id)", status: 204)
            }
            let before = gateway.embedded.gateway.events.newest
            let call = try gateway.start(
                "POST", "/v1/projects/shop/messages:send", headers: ["authorization": "Bearer x"],
                body: Array(#"{"message":{"topic":"t","data":{"k":"v"}}}"#.utf8))
            // One event for the message and two for each device; sixteen devices are a slice.
            #expect((101...133).contains(gateway.embedded.gateway.events.newest - before))
            #expect(gateway.embedded.gateway.isPausedForDisk)
            disk.runAll(in: gateway.embedded)
            #expect(gateway.embedded.gateway.events.newest - before == 201)
            try #expect(call.answer().status == 200)
        }
    }
}
