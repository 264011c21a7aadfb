import APNs
import Devices
import FCM
import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing
import TLS

@testable import ControlAPI

/// Providers and senders: their requests go to the engine as the gateway's router would give them to it.
extension TestHost {
    /// A provider token of a key that the engine does not know, which `auth=lenient` accepts.
    static let bearer = "bearer " + unsignedToken(key: "FGHIJ67890", team: "ABCDE12345", issued: 1_800_000_000)

    static func unsignedToken(key: String, team: String, issued: Int64) -> String {
        let parts = [#"{"alg":"ES256","kid":"\#(key)"}"#, #"{"iss":"\#(team)","iat":\#(issued)}"#]
        return parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".") + "."
            + Base64URL.encode([UInt8](repeating: 7, count: 64))
    }

    /// A provider token that a key signs.
    func bearer(signedBy key: PrivateKey, _ id: String, _ team: String, age: Int64 = 0) throws -> String {
        let parts = Self.unsignedToken(key: id, team: team, issued: now.seconds - age).split(separator: ".")
        let input = "\(parts[0]).\(parts[1])"
        return "bearer \(input)." + Base64URL.encode(try key.sign(Array(input.utf8), as: .jose))
    }

    /// A device push over HTTP/2, with the provider token above.
    @discardableResult
    func push(
        _ fields: KeyValuePairs<String, String> = [:], to token: String = TestHost.token, topic: String = TestHost.app,
        body: JSONValue = ["aps": ["alert": "Hello"]]
    ) -> Answer {
        push(fields, to: token, topic: topic, raw: body.bytes)
    }

    @discardableResult
    func push(
        _ fields: KeyValuePairs<String, String> = [:], to token: String = TestHost.token, topic: String = TestHost.app,
        raw body: [UInt8]
    ) -> Answer {
        provide(
            .post, "/3/device/\(token)",
            [("apns-topic", topic), ("authorization", Self.bearer)] + fields.map { ($0.key, $0.value) }, body)
    }

    /// Any request of a provider.
    @discardableResult
    func provide(_ method: Method, _ path: String, _ fields: [(String, String)], _ body: [UInt8] = []) -> Answer {
        var headers = HeaderBlock([.method: method.rawValue, .path: path, .authority: "localhost"])
        for (name, value) in fields { headers.append(HeaderName(name), value) }
        var request = Request(version: .http2, headers: headers)
        // A codec keeps no more than the limit, and marks the request.
        let limit = APNsDialect.bodyLimit(headers, headers.range(of: .path) ?? 0..<0)
        request.body = Array(body.prefix(limit))
        request.bodyIsOverLimit = body.count > limit
        var push = PushContext(request, at: now)
        let decision = box.engine.decide(&push, isSandbox: false, &connection)
        settle()
        return Answer(decision.response)
    }

    /// `messages:send` with a message that has these members.
    @discardableResult
    func send(_ message: JSONValue, project: String = "shop") -> Answer {
        let body: JSONValue = ["message": message]
        return send(raw: body.bytes, project: project)
    }

    /// `messages:send` over HTTP/1.1.
    ///
    /// - Parameter fields: with a bearer that was never issued, which `auth=lenient` accepts.
    @discardableResult
    func send(
        raw body: [UInt8], project: String = "shop", query: String = "",
        fields: [(String, String)] = [("authorization", "Bearer x"), ("content-type", "application/json")]
    ) -> Answer {
        let request = Self.request(.post, "/v1/projects/\(project)/messages:send\(query)", body, fields)
        let decision = box.engine.answerGoogle(request, &connection.faults, at: now, systemTime: systemTimeNow)
        let answer = Answer(decision.answer.response)
        settle()
        return answer
    }

    /// What the gateway does after every request: messages to many go on their way, and expectations are judged.
    private func settle() {
        while !box.engine.pendingWork.fanOuts.isEmpty { box.engine.continueFanOuts(16, at: now) }
        evaluateExpectations()
    }

    /// Makes a device over the API.
    @discardableResult
    func makeDevice(_ platform: String = "ios", app: String = TestHost.app, _ spec: JSONValue = [:]) throws -> JSONValue
    {
        let body: JSONValue = ["platform": .string(platform), "app": .string(app)]
        return try ask(.post, "/devices", body.merging(spec), status: 201).at("devices", 0)
    }

    /// The slot of a device in the box.engine.
    func slot(of id: String) throws -> Int {
        guard let slot = box.engine.devices.slot(of: DeviceID(id)) else {
            throw Unexpected("there is no device \(id)")
        }
        return slot
    }

    /// The messages that a query finds, newest first.
    func messages(_ query: String = "") throws -> [JSONValue] {
        try ask(.get, "/messages?\(query)").at("messages").elements
    }

    func ids(_ query: String = "") throws -> [String] { try messages(query).compactMap { $0.at("id").text } }

    func newest() throws -> JSONValue { try ask(.get, "/messages?limit=1").at("messages", 0) }

    func stat(_ name: String) throws -> Int64? { try ask(.get, "/stats").at(.key(name)).int }

    /// The events that the log holds, read from the stream that the API answers with.
    func events(_ query: String = "") throws -> [JSONValue] {
        let fields = [("accept", "application/x-ndjson")]
        let reply = reply(.get, "/events?since=0&follow=false&\(query)", raw: [], fields)
        guard case .deferred(.events(let stream)) = reply else {
            throw Unexpected("/events?\(query) is no stream")
        }
        return try read(stream).map { try JSONValue(parsing: $0) }
    }

    /// What a stream sends about the events that it has not sent yet.
    func read(_ stream: EventStream) -> [[UInt8]] {
        var found: [[UInt8]] = []
        box.engine.updateJournal()
        for event in box.engine.events.events(after: stream.position)
        where stream.filter.matches(event, project: { nil }, message: { box.engine.message(of: $0) }) {
            found.append(stream.text(event, nil))
        }
        stream.position = box.engine.events.newest
        return found
    }
}

/// A device's token, as the API shows it.
func token(of device: JSONValue, _ provider: String = "apns") -> String {
    device.at("tokens", .key(provider), "token").text ?? ""
}
