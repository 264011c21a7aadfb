internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Creating devices.
extension ControlAPI {
    /// The largest number of devices that one call creates.
    private static let creationLimit = 10_000
    /// The members of a device spec.
    package static let specKeys = [
        "id", "platform", "app", "name", "project", "environment", "locale", "osVersion", "state", "tracking",
        "extension", "categories", "channels", "texts", "appConfig", "backgroundBudget", "reportsCalls", "tokens",
    ]

    /// Creates one device, or several with numbered ids.
    static func makeDevices(_ call: Call) throws(ControlProblem) -> Response {
        var fields = try FieldReader(try call.body(), at: "")
        for key in specKeys { _ = fields.value(key) }
        let count = try fields.int("count", 1...creationLimit)
        try fields.end()
        let body = try call.body()
        let spec = try convertingProblems { () throws(DeviceProblem) in
            let spec = try DeviceSpec(body, at: "")
            try spec.requireComplete(at: "")
            try call.host.box.engine.devices.requireUnusedTokens(spec, at: "")
            return spec
        }
        if count ?? 1 > 1, spec.hasTokens {
            throw .bad(
                "'tokens' cannot be combined with 'count', because a token belongs to one device.", at: "/tokens")
        }
        let ids = (1...(count ?? 1)).map { number in spec.id.map { count == nil ? $0 : DeviceID("\($0)-\(number)") } }
        if let longest = ids.compactMap({ $0?.description.utf8.count }).max(), longest > 256 {
            throw .bad("'id' is too long: with the device's number it must have at most 256 bytes.", at: "/id")
        }
        for case let id? in ids where call.host.box.engine.devices.slot(of: id) != nil {
            throw ControlProblem(
                status: 409, code: "conflict", message: "The device '\(id)' already exists.", pointer: "/id")
        }
        let room = call.host.box.engine.devices.room
        guard ids.count <= room else {
            throw ControlProblem(
                status: 409, code: "tooMany",
                message:
                    "There is room for \(room) more devices, and this call asks for \(ids.count). Delete some first.")
        }
        let slots = ids.compactMap { id in
            var one = spec
            one.id = id
            return call.host.box.engine.makeDevice(one, at: call.now)
        }
        call.host.scheduleWork()
        return .json(status: 201) { json in
            json.key("devices")
            json.array { json in for slot in slots { writeDevice(slot, call.host, to: &json) } }
        }
    }
}
