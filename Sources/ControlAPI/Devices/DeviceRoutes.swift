internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let deviceRoutes: [Route] = [
        Route(
            .post, "/devices", "Create a device, or with count several identical ones. No socket is needed.",
            body: .named("DeviceSpec"),
            answers: [(201, .object([Schema.member("devices", .list(.named("Device")), required: true)]))],
            reply: makeDevices),
        Route(
            .get, "/devices", "List the devices, oldest first.",
            query: [
                .app, Schema.member("platform", .words(platforms)),
                Schema.member("text", .text(), "Text that the id, the name or the app contains, ignoring case."),
                .limit, .cursor,
            ],
            answers: [(200, .page("devices", .named("Device")))],
            reply: { (call) throws(ControlProblem) in .deferred(.query(try DeviceList(call))) }),
        Route(
            .get, "/subscriptions",
            "List the push subscriptions of real and simulated browsers and apps, oldest first.",
            query: [.app, .limit, .cursor], answers: [(200, .page("subscriptions", .object(subscription)))],
            reply: { (call) throws(ControlProblem) in .deferred(.query(try DeviceList(call, ofSubscriptions: true))) }),
        Route(.get, "/devices/{id}", "Show one device.", answers: [(200, .named("Device"))], handle: showDevice),
        Route(
            .patch, "/devices/{id}", "Change a device's state.",
            body: .object([Schema.member("state", .named("StatePatch"), required: true)]),
            answers: [(200, .named("Device"))], handle: patchDevice),
        Route(
            .delete, "/devices/{id}", "Delete a device. Its sockets are closed with code 4003.", answers: [(204, nil)],
            handle: deleteDevice),
        Route(
            .get, "/devices/{id}/shade", "List the notifications that the device shows, newest first.",
            query: [.limit, .cursor],
            answers: [
                (
                    200,
                    .object([
                        Schema.member("shade", .list(.named("ShadeEntry")), required: true),
                        Schema.member("badge", .integer(.min ... .max), required: true),
                        .next,
                    ])
                )
            ],
            handle: showShade),
        Route(
            .get, "/devices/{id}/pending",
            "List the pushes that wait for the device and have not expired, oldest first.",
            query: [.limit, .cursor],
            answers: [(200, .page("pending", .named("Pending")))], handle: showPending),
        Route(
            .get, "/devices/{id}/topics", "List the topics that the device is subscribed to, by name.",
            query: [.limit, .cursor], answers: [(200, .page("topics", .object(deviceTopic)))], handle: showTopics),
        Route(
            .post, "/devices/{id}/act", "Simulate what a person does with a notification or with the app.",
            body: .named("Act"),
            answers: [(200, .named("Device"))], handle: act),
        Route(
            .post, "/devices/{id}/tokens", "Rotate or delete a token of the app.",
            body: .object([
                Schema.member("op", .words(["rotate", "delete"]), required: true),
                Schema.member("provider", .words(["apns", "fcm"]), required: true),
                Schema.member(
                    "kind", .words(TokenKind.allCases.map(\.rawValue)),
                    "For apns: the kind of the token. Default: the app's main token."),
            ]), answers: [(200, .named("Device"))], handle: changeTokens),
    ]

    private static let subscription = [
        Schema.member("device", .text(), required: true), Schema.member("app", .text(), required: true),
        Schema.member("client", .text(), required: true), Schema.member("endpoint", .text(), required: true),
        Schema.member("online", .boolean, required: true),
        Schema.member("fcmToken", .text(), "The token that Firebase has made for it."),
    ]

    private static let deviceTopic = [
        Schema.member("name", .text(), required: true), Schema.member("since", .time, required: true),
    ]

    static let platforms = Device.Platform.allCases.map(\.rawValue)

    /// The index of the device with this id in the engine's devices.
    static func slot(_ call: Call, _ id: String) throws(ControlProblem) -> Int {
        guard let slot = call.host.box.engine.devices.slot(of: DeviceID(id)) else {
            throw .missing("The device '\(id.prefix(100))' does not exist.")
        }
        return slot
    }

    private static func showDevice(_ call: Call) throws(ControlProblem) -> Response {
        showDevice(at: try slot(call, call.name), call)
    }

    /// Answers with the device. Schedules the deliveries that a change by the same call has made possible.
    static func showDevice(at slot: Int, _ call: Call) -> Response {
        call.host.scheduleWork()
        var json = JSONWriter()
        writeDevice(slot, call.host, to: &json)
        return .json(json.finish())
    }

    private static func patchDevice(_ call: Call) throws(ControlProblem) -> Response {
        let slot = try slot(call, call.name)
        var fields = try FieldReader(try call.body(), at: "")
        let wanted = fields.value("state")
        try fields.end()
        guard let patch = wanted else {
            throw fields.problem("state", #"is required, for example {"state":{"online":false}}"#)
        }
        try convertingProblems { () throws(DeviceProblem) in
            try call.host.box.engine.perform(.patchState(patch, pointer: "/state"), on: slot, at: call.now)
        }
        return showDevice(at: slot, call)
    }

    private static func deleteDevice(_ call: Call) throws(ControlProblem) -> Response {
        call.host.box.engine.deleteDevice(try slot(call, call.name), at: call.now)
        call.host.scheduleWork()
        return Response(status: 204)
    }

    private static func showShade(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        let phone = call.host.box.engine.devices[try slot(call, call.name)].phone
        let entries = phone.shade.entries
        return .json { json in
            json.key("shade")
            json.array { json in for entry in page.slice(of: entries.reversed()) { entry.write(to: &json) } }
            json.member("badge", phone.badge)
            json.member("next", page.next(of: entries.count))
        }
    }

    private static func showPending(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        let all = call.host.box.engine.devices[try slot(call, call.name)].waitingPushes
        let waiting = all.filter { $0.isAlive(at: call.now) }
        return .json { json in
            json.key("pending")
            json.array { json in
                for push in page.slice(of: waiting) {
                    json.object { json in
                        json.member("id", push.id.description)
                        json.member("since", push.since.description)
                        json.member("expires", push.traits.expires?.description)
                        json.member("collapseId", push.collapseKey.map { String(decoding: $0, as: UTF8.self) })
                    }
                }
            }
            json.member("next", page.next(of: waiting.count))
        }
    }

    private static func showTopics(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        let topics = call.host.box.engine.devices[try slot(call, call.name)].topics
        let rows = topics.sorted { $0.key < $1.key }
        return .json { json in
            json.key("topics")
            json.array { json in
                for (name, since) in page.slice(of: rows) {
                    json.object { json in
                        json.member("name", name)
                        json.member("since", since.description)
                    }
                }
            }
            json.member("next", page.next(of: rows.count))
        }
    }

    static func writeDevice(_ slot: Int, _ host: any ControlHost, to json: inout JSONWriter) {
        let isConnected = !host.box.engine.watches[slot].viewers.isEmpty
        host.box.engine.devices[slot].write(isConnected: isConnected, base: host.url, to: &json)
    }

    /// Converts a device error to an API error.
    static func convertingProblems<Value>(_ body: () throws(DeviceProblem) -> Value) throws(ControlProblem) -> Value {
        do throws(DeviceProblem) { return try body() } catch { throw .bad(error.message, at: error.pointer) }
    }
}

extension StoredPush {
    /// The collapse key or collapse id; nil without one. A newer push with the same value would replace this push.
    fileprivate var collapseKey: [UInt8]? {
        if case .collapseKey(let key) = key { return key }
        return traits.collapseID.isEmpty ? nil : traits.collapseID
    }
}
