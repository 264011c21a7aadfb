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
        "subscription",
    ]

    /// Creates one device, or several with numbered ids.
    static func makeDevices(_ call: Call) throws(ControlProblem) -> Reply {
        var fields = try FieldReader(try call.body(), at: "")
        for key in specKeys { _ = fields.value(key) }
        let count = try fields.int("count", 1...creationLimit)
        try fields.end()
        let body = try call.body()
        let spec = try convertingProblems { () throws(DeviceProblem) in
            let spec = try DeviceSpec(body, at: "")
            try spec.requireComplete(at: "")
            return spec
        }
        if count ?? 1 > 1, spec.hasTokens {
            throw .bad(
                "'tokens' cannot be combined with 'count', because a token belongs to one device.", at: "/tokens")
        }
        // The last id is the longest.
        if let id = spec.id, let count, "\(id)-\(count)".utf8.count > 256 {
            throw .bad("'id' is too long: with the device's number it must have at most 256 bytes.", at: "/id")
        }
        return .deferred(.query(DeviceCreation(spec, count: count)))
    }
}
