/// Shortcuts for the calls that most tests make.
extension TestGateway {
    /// An APNs device token that is unknown until the first push to it.
    public static let unknownToken = String(repeating: "a1b2c3d4", count: 8)

    /// Calls the control API, below `/api/v1`.
    @discardableResult public func api(_ method: String, _ path: String, _ body: TestJSON? = nil) throws -> TestResponse
    {
        var fields: TestFields = ["content-type": "application/json"]
        if let apiToken { fields.append("authorization", "Bearer \(apiToken)") }
        return try send(method, "/api/v1" + path, headers: fields, body: body?.bytes ?? [])
    }

    /// Calls the control API and returns the JSON of its answer. Throws if the status is different.
    @discardableResult public func ask(
        _ method: String, _ path: String, _ body: TestJSON? = nil, status: Int = 200
    ) throws -> TestJSON {
        let answer = try api(method, path, body)
        guard answer.status == status else {
            throw TestFailure(
                .notMet, "\(method) \(path) was answered with \(answer.status), expected \(status): \(answer.text)")
        }
        return answer.json
    }

    /// Pushes over APNs.
    ///
    /// - Parameters:
    ///   - topic: nil leaves `apns-topic` out.
    ///   - fields: additional fields, such as `["apns-priority": "5"]`.
    @discardableResult public func push(
        _ payload: TestJSON = ["aps": ["alert": "Hello"]], to token: String = unknownToken,
        topic: String? = "com.example.app", fields: TestFields = [:]
    ) throws -> TestResponse {
        try startPush(payload, to: token, topic: topic, fields: fields).answer()
    }

    /// Pushes over APNs like `push`, but returns before the answer is read. A test can pass its own connection.
    public func startPush(
        _ payload: TestJSON = ["aps": ["alert": "Hello"]], to token: String = unknownToken,
        topic: String? = "com.example.app", fields: TestFields = [:], on connection: TestConnection? = nil
    ) throws -> TestCall {
        try (connection ?? defaultConnection()).start(
            "POST", "/3/device/\(token)", headers: pushFields(topic: topic, fields), body: payload.bytes)
    }

    /// Sets a fault, and returns its id.
    ///
    /// - Parameters:
    ///   - effect: one effect or an array of effects (docs/api.md), such as `["delay": "5s"]`.
    ///   - more: additional members: `match`, `times`, `nth`, `every`, `probability`, …
    @discardableResult public func setFault(_ effect: TestJSON, _ more: TestJSON = [:]) throws -> String {
        try ask("POST", "/faults", (["effect": effect] as TestJSON).merging(more), status: 201)["id"].string ?? ""
    }

    /// The fields of a push: a provider token, the topic, and additional fields.
    public func pushFields(topic: String? = "com.example.app", _ fields: TestFields = [:]) -> TestFields {
        var all: TestFields = ["authorization": authorization]
        if let topic { all.append("apns-topic", topic) }
        return all.appending(fields)
    }

    /// Sends a message over FCM.
    ///
    /// - Parameter message: with `token`, `topic` or `condition`.
    @discardableResult public func sendFCM(_ message: TestJSON, project: String = "shop") throws -> TestResponse {
        try sendFCM(body: (["message": message] as TestJSON).bytes, project: project)
    }

    /// Sends a request to `messages:send` with exactly this body.
    @discardableResult public func sendFCM(body: [UInt8], project: String = "shop") throws -> TestResponse {
        try send(
            "POST", "/v1/projects/\(project)/messages:send",
            headers: ["authorization": "Bearer x", "content-type": "application/json"], body: body)
    }

    /// Makes a broadcast channel, and returns its id.
    ///
    /// - Parameter policy: 1 stores the newest message for devices that are offline; 0 stores none.
    public func makeChannel(policy: Int = 0, app: String = "com.example.app") throws -> String {
        let body: TestJSON = ["message-storage-policy": TestJSON(policy), "push-type": "LiveActivity"]
        let answer = try send(
            "POST", "/1/apps/\(app)/channels", headers: ["authorization": authorization], body: body.bytes)
        guard let channel = answer["apns-channel-id"] else {
            throw TestFailure(.notMet, "the channel was not created: \(answer.status) \(answer.text)")
        }
        return channel
    }

    /// Sends an update of a Live Activity to all subscribers of a channel.
    @discardableResult public func broadcast(
        _ contentState: TestJSON, to channel: String, expiration: String = "0", app: String = "com.example.app"
    ) throws -> TestResponse {
        let aps: TestJSON = ["event": "update", "timestamp": 1, "content-state": contentState]
        return try send(
            "POST", "/4/broadcasts/apps/\(app)",
            headers: [
                "authorization": authorization, "apns-channel-id": channel, "apns-push-type": "liveactivity",
                "apns-expiration": expiration,
            ], body: (["aps": aps] as TestJSON).bytes)
    }

    /// How many pushes or events are expected.
    public enum Count: Sendable {
        case exactly(Int)
        case atLeast(Int)
        case atMost(Int)
        case never
    }

    /// Waits for pushes that match, and returns their ids. Throws if the expectation is not met.
    ///
    /// - Parameters:
    ///   - match: the filters of `POST /api/v1/expect` (docs/api.md).
    ///   - duration: how long to wait. An embedded gateway does not wait: it advances its loop time.
    @discardableResult public func expect(
        _ match: TestJSON = [:], _ count: Count = .atLeast(1), within duration: Duration = .seconds(5)
    ) throws -> [String] {
        let number: TestJSON =
            switch count {
            case .exactly(let number): ["count": TestJSON(number)]
            case .atLeast(let number): ["atLeast": TestJSON(number)]
            case .atMost(let number): ["atMost": TestJSON(number)]
            case .never: ["never": true]
            }
        let milliseconds = duration.wholeMilliseconds
        let body = (["match": match, "within": TestJSON("\(milliseconds)ms")] as TestJSON).merging(number)
        let call = try start("POST", "/api/v1/expect", body: body.bytes)
        if try call.answerSoFar() == nil { host.advanceLoopTime(milliseconds: UInt64(milliseconds) + 1) }
        let answer = try call.answer()
        guard answer.status == 200 else {
            throw TestFailure(
                .notMet, "not met: \(count) pushes that match \(match); \(answer.status) \(answer.text)")
        }
        return answer.json["messages"].array.compactMap(\.string)
    }
}
