import Devices
import HTTPCore
import JSON
import PushEngine
import Testing

@testable import ControlAPI

/// A call that makes many devices, while other calls come in between.
struct DeviceCreationTests {
    /// Starts a call that does one step in each turn.
    private func start(_ count: Int, id: String? = nil, on host: TestHost) throws -> any SlicedCall {
        var body = DeviceTests.iPhone.merging(["count": .int(Int64(count))])
        if let id { body = body.merging(["id": .string(id)]) }
        host.looksPerTurn = 1
        let request = TestHost.request(.post, ControlAPI.root + "/devices", body.bytes, [])
        guard case .deferred(.query(let query)) = ControlAPI.reply(to: request, host) else {
            throw Unexpected("it is answered at once")
        }
        return query
    }

    @Test func `if the room is taken meanwhile, the devices are deleted again`() throws {
        let host = TestHost { $0.deviceCapacity = 10 }
        let query = try start(10, on: host)
        for _ in 0..<4 { #expect(query.advance(host) == nil) }
        let made = host.box.engine.devices.count
        #expect(2...4 ~= made)
        try host.makeDevice("android", ["id": "other"])
        let answer = TestHost.Answer(host.answer(of: query))
        #expect(answer.status == 409)
        let error = try answer.json().at("error")
        #expect(error.at("code") == "tooMany")
        #expect(
            error.at("message").text
                == "Meanwhile, the gateway has reached its limit of devices. 9 devices that this call had already made will be deleted again. Delete some first."
        )
        #expect(try host.ask(.get, "/devices").at("devices").elements.map { $0.at("id") } == ["other"])
        // The names and the room are free again.
        #expect(try host.ask(.post, "/devices", DeviceTests.iPhone.merging(["count": 9]), status: 201) != nil)
    }

    @Test func `an id that is taken before the first device is made is found by the check`() throws {
        let host = TestHost()
        let query = try start(10, id: "x", on: host)
        for _ in 0..<3 { #expect(query.advance(host) == nil) }
        #expect(host.box.engine.devices.count == 0)
        try host.makeDevice("android", ["id": "x-9"])
        let answer = TestHost.Answer(host.answer(of: query))
        #expect(answer.status == 409)
        #expect(try answer.json().at("error", "message") == "The device 'x-9' already exists.")
        #expect(host.box.engine.devices.count == 1)
    }

    @Test func `a device that another call has deleted meanwhile stays deleted`() throws {
        let host = TestHost()
        let query = try start(5, id: "x", on: host)
        while host.box.engine.devices.count < 3 { #expect(query.advance(host) == nil) }
        try host.ask(.delete, "/devices/x-1", status: 204)
        try host.makeDevice("android", ["id": "x-1"])
        let answer = TestHost.Answer(host.answer(of: query))
        #expect(answer.status == 201)
        #expect(try answer.json().at("devices").elements.count == 5)
        #expect(host.box.engine.devices.count == 5)
    }
}
