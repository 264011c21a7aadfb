internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let deviceRoutes: [Route] = [
        Route(
            .post, "/devices", "Create a device, or with count several alike. No socket is needed.",
            body: .named("DeviceSpec"),
            answers: [(201, .object([Schema.member("devices", .list(.named("Device")), needed: true)]))],
            handle: makeDevices),
        Route(
            .get, "/devices", "List the devices, oldest first.",
            query: [.app, Schema.member("platform", .words(platforms)), .limit, .cursor],
            answers: [(200, .page("devices", .named("Device")))], handle: listDevices),
        Route(.get, "/devices/{id}", "Show one device.", answers: [(200, .named("Device"))], handle: showDevice),
        Route(
            .patch, "/devices/{id}", "Change a device's state.",
            body: .object([Schema.member("state", .named("StatePatch"), needed: true)]),
            answers: [(200, .named("Device"))], handle: patchDevice),
        Route(
            .delete, "/devices/{id}", "Delete a device. Its sockets are closed with code 4003.", answers: [(204, nil)],
            handle: deleteDevice),
        Route(
            .get, "/devices/{id}/shade", "List the notifications that the device shows, newest first.",
            answers: [
                (
                    200,
                    .object([
                        Schema.member("shade", .list(.named("ShadeEntry")), needed: true),
                        Schema.member("badge", .integer(.min ... .max), needed: true),
                    ])
                )
            ],
            handle: showShade),
        Route(
            .get, "/devices/{id}/pending", "List the pushes that wait for the device, oldest first.",
            answers: [(200, .page("pending", .named("Pending")))], handle: showPending),
        Route(
            .post, "/devices/{id}/act", "Simulate what a person does with a notification or with the app.",
            body: .named("Act"),
            answers: [(200, .named("Device"))], handle: act),
        Route(
            .post, "/devices/{id}/tokens", "Rotate or delete a token of the app.",
            body: .object([
                Schema.member("op", .words(["rotate", "delete"]), needed: true),
                Schema.member("provider", .words(Provider.allCases.map(\.rawValue)), needed: true),
            ]), answers: [(200, .named("Device"))], handle: changeTokens),
    ]

    static let platforms = Device.Platform.allCases.map(\.rawValue)
    private static let mostAtOnce = 10_000
    package static let specKeys = [
        "id", "platform", "app", "name", "project", "environment", "locale", "osVersion", "state", "tracking",
        "extension", "categories", "channels", "texts", "backgroundBudget", "tokens",
    ]

    private static func makeDevices(_ call: Call) throws(ControlProblem) -> Response {
        var fields = try FieldReader(try call.body(), at: "")
        for key in specKeys { _ = fields.value(key) }
        let count = try fields.int("count", 1...mostAtOnce)
        try fields.end()
        let body = try call.body()
        let spec = try translated { () throws(DeviceProblem) in
            let spec = try DeviceSpec(body, at: "")
            try spec.requireComplete(at: "")
            try call.host.engine.devices.requireUnusedTokens(spec, at: "")
            return spec
        }
        if count ?? 1 > 1, spec.apnsToken != nil || spec.fcmToken != nil {
            throw .bad(
                "'tokens' cannot be combined with 'count', because a token belongs to one device.", at: "/tokens")
        }
        let ids = (1...(count ?? 1)).map { number in spec.id.map { count == nil ? $0 : DeviceID("\($0)-\(number)") } }
        if let longest = ids.compactMap({ $0?.description.utf8.count }).max(), longest > 256 {
            throw .bad("'id' is too long: with the number of each device it must have at most 256 bytes.", at: "/id")
        }
        for case let id? in ids where call.host.engine.devices.place(of: id) != nil {
            throw ControlProblem(
                status: 409, code: "conflict", message: "The device '\(id)' already exists.", pointer: "/id")
        }
        let room = call.host.engine.devices.room
        guard ids.count <= room else {
            throw ControlProblem(
                status: 409, code: "tooMany",
                message:
                    "There is room for \(room) more devices, and this call asks for \(ids.count). Delete some first.")
        }
        let places = ids.compactMap { id in
            var one = spec
            one.id = id
            return call.host.engine.makeDevice(one, at: call.now)
        }
        call.host.workLater()
        return .json(status: 201) { json in
            json.key("devices")
            json.array { json in for place in places { write(place, call.host, to: &json) } }
        }
    }

    private static func listDevices(_ call: Call) throws(ControlProblem) -> Response {
        let (page, app) = (try call.query.page(), call.query.text("app"))
        let platform = try call.query.word("platform", Device.Platform.self)
        let host = call.host
        var found: [Int] = []
        var next: String?
        for place in host.engine.devices.oldestFirst where host.engine.devices[place].generation >= page.start {
            if let app, host.engine.devices.app(at: place) != app, host.engine.devices[place].project != app {
                continue
            }
            if let platform, host.engine.devices.platform(at: place) != platform { continue }
            if found.count == page.limit {
                next = String(host.engine.devices[place].generation)
                break
            }
            found.append(place)
        }
        return .json { json in
            json.key("devices")
            json.array { json in for place in found { write(place, host, to: &json) } }
            json.member("next", next)
        }
    }

    /// The place of the device with this id.
    static func place(_ call: Call, _ id: String) throws(ControlProblem) -> Int {
        guard let place = call.host.engine.devices.place(of: DeviceID(id)) else {
            throw .missing("The device '\(id.prefix(100))' does not exist.")
        }
        return place
    }

    private static func showDevice(_ call: Call) throws(ControlProblem) -> Response {
        answer(try place(call, call.name), call)
    }

    private static func answer(_ place: Int, _ call: Call) -> Response {
        call.host.workLater()
        var json = JSONWriter()
        write(place, call.host, to: &json)
        return .json(json.finish())
    }

    private static func patchDevice(_ call: Call) throws(ControlProblem) -> Response {
        let place = try place(call, call.name)
        var fields = try FieldReader(try call.body(), at: "")
        let wanted = fields.value("state")
        try fields.end()
        guard let patch = wanted else {
            throw fields.problem("state", #"is required, for example {"state":{"online":false}}"#)
        }
        try translated { () throws(DeviceProblem) in
            try call.host.engine.perform(.patchState(patch, pointer: "/state"), on: place, at: call.now)
        }
        return answer(place, call)
    }

    private static func deleteDevice(_ call: Call) throws(ControlProblem) -> Response {
        call.host.engine.deleteDevice(try place(call, call.name), at: call.now)
        call.host.workLater()
        return Response(status: 204)
    }

    private static func showShade(_ call: Call) throws(ControlProblem) -> Response {
        let phone = call.host.engine.devices[try place(call, call.name)].phone
        return .json { json in
            json.key("shade")
            json.array { json in for entry in phone.shade.entries.reversed() { entry.write(to: &json) } }
            json.member("badge", phone.badge)
        }
    }

    private static func showPending(_ call: Call) throws(ControlProblem) -> Response {
        let waiting = call.host.engine.devices[try place(call, call.name)].waiting
        return .json { json in
            json.key("pending")
            json.array { json in
                for push in waiting {
                    json.object { json in
                        json.member("id", push.id.description)
                        json.member("since", push.since.description)
                        json.member("expires", push.traits.expires?.description)
                        json.member("collapseId", push.collapseKey.map { String(decoding: $0, as: UTF8.self) })
                    }
                }
            }
            json.member("next", String?.none)
        }
    }

    private enum Act: String, CaseIterable {
        case open, dismiss, action, clearAll, launch, forceQuit, uninstall, install
    }

    private static func act(_ call: Call) throws(ControlProblem) -> Response {
        let place = try place(call, call.name)
        let body = try call.body()
        var fields = try FieldReader(body, at: "")
        guard let kind = try fields.word("kind", Act.self) else {
            throw fields.problem("kind", "is required: \(Act.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        for key in ["notification", "actionId", "text"] { _ = try fields.string(key) }
        try fields.end()
        try translated { () throws(DeviceProblem) in
            let command: DeviceCommand =
                switch kind {
                case .open, .dismiss, .action: .act(try PersonAct(body))
                case .clearAll: .clearAll
                case .launch: .launch
                case .forceQuit: .forceQuit
                case .uninstall: .uninstall
                case .install: .install
                }
            try call.host.engine.perform(command, on: place, at: call.now)
        }
        return answer(place, call)
    }

    private static func changeTokens(_ call: Call) throws(ControlProblem) -> Response {
        let place = try place(call, call.name)
        var fields = try FieldReader(try call.body(), at: "")
        guard let op = try fields.word("op", TokenChange.self) else {
            throw fields.problem("op", "is required: rotate or delete")
        }
        guard let provider = try fields.word("provider", Provider.self) else {
            throw fields.problem("provider", "is required: apns or fcm")
        }
        try fields.end()
        let command: DeviceCommand = op == .rotate ? .rotateToken(provider) : .deleteToken(provider)
        do throws(DeviceProblem) { try call.host.engine.perform(command, on: place, at: call.now) } catch {
            throw ControlProblem(status: 409, code: "conflict", message: error.message)
        }
        return answer(place, call)
    }

    private enum TokenChange: String, CaseIterable { case rotate, delete }

    private static func write(_ place: Int, _ host: any ControlHost, to json: inout JSONWriter) {
        let isConnected = !host.engine.watches[place].viewers.isEmpty
        host.engine.devices[place].write(isConnected: isConnected, to: &json)
    }

    /// Turns an error of the device model into an error of the call.
    private static func translated<Value>(_ body: () throws(DeviceProblem) -> Value) throws(ControlProblem) -> Value {
        do throws(DeviceProblem) { return try body() } catch { throw .bad(error.message, at: error.pointer) }
    }
}

extension StoredPush {
    /// The key by which a newer push would replace this one.
    fileprivate var collapseKey: [UInt8]? {
        if case .collapseKey(let key) = slot { return key }
        return traits.collapseID.isEmpty ? nil : traits.collapseID
    }
}
