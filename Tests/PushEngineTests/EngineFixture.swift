import APNs
import Devices
import FCM
import HTTPCore
import JSON
import PushCore
import Testing

@testable import PushEngine

/// An engine with what a gateway gives it: a connection's memory, a clock that only the test moves, and a place for the
/// frames of devices.
///
/// Everything that happens is read back as lines of text, so that a test table can contain it.
final class EngineFixture {
    static let start = Timestamp(milliseconds: 1_800_000_000_000)
    static let app = "com.example.app"
    static let project = "demo"
    /// A token that no device has.
    static let token = String(repeating: "a1b2", count: 16)
    /// The same for FCM.
    static let fcmToken = "cUnknownInstallation01:APA91b" + String(repeating: "x", count: 134)

    var engine: PushEngine
    var now = start
    var session = APNsSession()
    var memory = FaultMemory()
    let notifier = RecordingNotifier()
    /// The newest event that `take` has returned.
    private var taken: UInt64 = 0
    private var timers: [(due: Timestamp, work: Work)] = []

    private enum Work {
        case wake(DeviceRef)
        case fanOut(PushEngine.FanOut)
    }

    init(_ change: (inout EngineSettings) -> Void = { _ in }) {
        var settings = EngineSettings()
        settings.apns.keys["ABCDE12345"] = ProviderKey(id: "ABCDE12345", team: "TEAM567890")
        settings.verifyProviderToken = { _, _, signature in signature == [1] }
        settings.digest = { bytes in Array(repeating: UInt8(truncatingIfNeeded: bytes.count), count: 32) }
        change(&settings)
        engine = PushEngine(settings, notifier: notifier)
    }
}

/// Apple's side.
extension EngineFixture {
    struct Answer: Equatable, CustomStringConvertible {
        let status: Int
        /// The vendor's word for a refusal; nil if there is none.
        var reason: String?
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        var fault: String?

        var description: String { reason.map { "\(status) \($0)" } ?? "\(status)" }
        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONView? { (try? JSONDocument(parsing: body))?.root }
    }

    var providerToken: String { Self.providerToken(issuedAt: now.seconds) }

    /// A JWT whose signature is the byte that the fixture's verifier accepts.
    static func providerToken(issuedAt: Int64, key: String = "ABCDE12345", signature: [UInt8] = [1]) -> String {
        [
            Array(#"{"alg":"ES256","kid":"\#(key)"}"#.utf8), Array(#"{"iss":"TEAM567890","iat":\#(issuedAt)}"#.utf8),
            signature,
        ]
        .map { Base64URL.encode($0) }.joined(separator: ".")
    }

    /// The request of a push. Fields with an empty value are left out.
    func request(
        _ token: String = token, topic: String = app, _ fields: [String: String] = [:],
        body: String = #"{"aps":{"alert":"Hello"}}"#, method: String = "POST", path: String? = nil
    ) -> Request {
        var all = fields
        // One token for 50 minutes, as a provider would keep it.
        let issued = Self.start.seconds + (now.seconds - Self.start.seconds) / 3000 * 3000
        all["authorization"] = fields["authorization"] ?? "bearer \(Self.providerToken(issuedAt: issued))"
        all["apns-topic"] = fields["apns-topic"] ?? topic
        var headers = HeaderBlock([.method: method, .path: path ?? "/3/device/\(token)"])
        for (name, value) in all.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            headers.append(HeaderName(name), value)
        }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(body.utf8)
        return request
    }

    @discardableResult func push(
        _ token: String = token, topic: String = app, _ fields: [String: String] = [:],
        body: String = #"{"aps":{"alert":"Hello"}}"#, isSandbox: Bool = false
    ) -> Answer {
        decide(request(token, topic: topic, fields, body: body), isSandbox: isSandbox)
    }

    /// A push to a device's own token.
    @discardableResult func push(
        to id: String, _ fields: [String: String] = [:], body: String = #"{"aps":{"alert":"Hello"}}"#
    ) -> Answer {
        push(apnsToken(id), topic: device(id).app, fields, body: body)
    }

    @discardableResult func decide(_ request: Request, isSandbox: Bool = false) -> Answer {
        var push = PushContext(request, at: now)
        let decision = engine.decide(&push, isSandbox: isSandbox, &session, &memory)
        var answer = Self.answer(decision.response)
        answer.reason = answer.json?["reason"]?.string
        answer.fault = decision.fault?.id
        return answer
    }

    /// A call of the channel API, or a broadcast.
    @discardableResult func call(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: String = "", isSandbox: Bool = false
    ) -> Answer {
        var fields = fields
        fields["apns-topic"] = ""
        return decide(request("", fields, body: body, method: method, path: path), isSandbox: isSandbox)
    }

    static func answer(_ response: Response) -> Answer {
        var headers: [String: String] = [:]
        for (name, value) in response.headers {
            headers[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
        }
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        return Answer(status: response.status, headers: headers, body: body)
    }
}

/// Google's side.
extension EngineFixture {
    /// Sends a message: the members of `message` as JSON, without braces.
    @discardableResult func message(
        _ members: String, project: String = project, _ fields: [String: String] = [:], isDryRun: Bool = false
    ) -> Answer {
        google(
            "POST", "/v1/projects/\(project)/messages:send", fields,
            body: #"{"message":{\#(members)}\#(isDryRun ? #","validateOnly":true"# : "")}"#)
    }

    /// Any call of Google's.
    @discardableResult func google(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: String = ""
    ) -> Answer {
        var headers = HeaderBlock([
            .method: method, .path: path, .authority: "fcm.googleapis.com", .contentType: "application/json",
        ])
        var all = fields
        all["authorization"] = fields["authorization"] ?? "Bearer unknown"
        for (name, value) in all.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            headers.append(HeaderName(name), value)
        }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(body.utf8)
        let decision = engine.answerGoogle(request, &memory, at: now, systemTime: now)
        var answer = Self.answer(decision.answer.response)
        let error = answer.json?["error"]
        let code = error?["details"]?.elements.compactMap { $0["errorCode"]?.string }.first
        answer.reason = code ?? error?["status"]?.string ?? error?.string
        answer.fault = decision.fault?.id
        return answer
    }
}

/// Devices.
extension EngineFixture {
    /// Makes a device. `more` has further members of its spec.
    @discardableResult func make(
        _ id: String, _ platform: Device.Platform = .ios, app: String = app, _ more: String = ""
    ) -> Bool {
        let text =
            #"{"id":"\#(id)","platform":"\#(platform.rawValue)","app":"\#(app)"\#(more.isEmpty ? "" : ",")\#(more)}"#
        guard let spec = try? DeviceSpec(Self.json(text), at: "") else { return false }
        return engine.makeDevice(spec, at: now) != nil
    }

    /// Makes a device, and forgets that it appeared.
    func silently(_ body: () throws -> Void) rethrows {
        try body()
        _ = take()
    }

    func place(_ id: String) -> Int {
        guard let place = engine.devices.place(of: DeviceID(id)) else { preconditionFailure("no device '\(id)'") }
        return place
    }

    func device(_ id: String) -> Device { engine.devices[place(id)] }
    func apnsToken(_ id: String) -> String { device(id).apnsToken?.hex ?? "" }
    func fcmToken(_ id: String) -> String { device(id).fcmToken }

    /// Does what a client asks of a device. Returns why it can't be done.
    @discardableResult func perform(_ command: DeviceCommand, on id: String) -> DeviceProblem? {
        do throws(DeviceProblem) {
            try engine.perform(command, on: place(id), at: now)
            return nil
        } catch { return error }
    }

    @discardableResult func set(_ id: String, _ patch: String) -> DeviceProblem? {
        perform(.patchState(Self.json(patch), pointer: "/set"), on: id)
    }

    @discardableResult func uninstall(_ id: String) -> DeviceProblem? { perform(.uninstall, on: id) }
    @discardableResult func install(_ id: String) -> DeviceProblem? { perform(.install, on: id) }

    /// The device subscribes to topics as its SDK does.
    func subscribe(_ id: String, to topics: String...) {
        for topic in topics { perform(.setTopic(topic, isSubscribed: true), on: id) }
    }

    func delete(_ id: String) { engine.deleteDevice(place(id), at: now) }

    func watch(
        _ id: String, _ client: UInt32 = 1, _ wants: PushEngine.RequestedFrames = [.push, .event],
        isPhone: Bool = false,
        usesManualAck: Bool = false
    ) {
        engine.join(
            place(id),
            PushEngine.Viewer(
                connection: ClientID(slot: client, generation: 1), wants: wants, isPhone: isPhone,
                usesManualAck: usesManualAck),
            at: now)
    }

    func leave(_ id: String, _ client: UInt32 = 1) {
        engine.leave(place(id), ClientID(slot: client, generation: 1), at: now)
    }

    static func json(_ text: String) -> JSONView {
        guard let document = try? JSONDocument(parsing: Array(text.utf8)) else {
            preconditionFailure("no JSON: \(text)")
        }
        return document.root
    }
}

/// Time, and what comes of it.
extension EngineFixture {
    /// Moves the clock, and does what becomes due on the way.
    func advance(_ milliseconds: Int64) {
        let end = now + milliseconds
        collectTimers()
        while let index = timers.indices.min(by: { timers[$0].due < timers[$1].due }), timers[index].due <= end {
            let timer = timers.remove(at: index)
            now = max(now, timer.due)
            switch timer.work {
            case .wake(let device): engine.wake(device, at: now)
            case .fanOut(let fanOut): engine.fanOuts.append(fanOut)
            }
            finish()
        }
        now = end
    }

    /// Brings every message that is under way to its devices.
    func finish() {
        while !engine.fanOuts.isEmpty { engine.continueFanOuts(16, at: now) }
        collectTimers()
    }

    // A value that can't be copied can't be in `#expect`, so these stand for the engine's own.
    var hasWork: Bool { engine.hasWork }
    var hasExpectationsToEvaluate: Bool { engine.hasExpectationsToEvaluate }
    var hasExpectations: Bool { !engine.expectations.isEmpty }

    private func collectTimers() {
        timers += engine.wakes.map { ($0.due, .wake($0.device)) }
        timers += engine.delayedFanOuts.map { ($0.due, .fanOut($0.fanOut)) }
        engine.wakes = []
        engine.delayedFanOuts = []
    }
}

/// What happened.
extension EngineFixture {
    /// Whether an event says what a phone shows or its app is told; the others say what the services do.
    static func isPhones(_ event: Event) -> Bool {
        switch event.kind {
        case .presented, .suppressed, .replaced, .removed, .badge, .opened, .dismissed, .action, .tracking, .extension,
            .attachment:
            true
        case .callback: event.why != nil
        case .accepted, .refused, .stored, .collapsed, .dropped, .delivered, .state, .token, .registered, .unregistered,
            .subscribed, .unsubscribed, .fault, .clock:
            false
        }
    }

    /// The events since the last call, without those of phones: `KIND PUSH DEVICE RULE DETAIL`.
    func take() -> [String] { takeEvents().filter { !Self.isPhones($0) }.map(Self.line) }

    /// The events since the last call that say what phones show.
    func takeShown() -> [String] { takeEvents().filter(Self.isPhones).map(Self.line) }

    func takeEvents() -> [Event] {
        defer { taken = engine.events.newest }
        return engine.events.events(after: taken)
    }

    static func line(_ event: Event) -> String {
        let detail: String? =
            switch event.detail {
            case .none, .data, .object: nil
            case .push(let record): record.reason.map { "\(record.status) \($0)" } ?? "\(record.status)"
            case .stored(let milliseconds): "after \(milliseconds)"
            case .replaced(let push): "by \(push)"
            case .channel: "channel"
            case .topic(let topic): topic
            case .deleted(let count): "\(count)"
            case .fields(let fields):
                fields.filter { !["old", "new", "mcId"].contains($0.0) }.map { "\($0.0)=\(text($0.1))" }
                    .joined(separator: " ")
            }
        return [
            event.kind.rawValue, event.push?.description, event.device?.description, event.why?.description, detail,
        ]
        .compactMap(\.self).joined(separator: " ")
    }

    private static func text(_ scalar: JSONScalar) -> String {
        switch scalar {
        case .string(let text): text
        case .int(let number): String(number)
        case .bool(let isTrue): String(isTrue)
        }
    }

    /// The message of that id, as long as the log has it.
    func logged(_ id: String) -> Message? { engine.message(named: id) }

    /// The record of the newest push in the log.
    var lastRecord: PushRecord? {
        for event in engine.events.events(after: 0).reversed() {
            if case .push(let record) = event.detail { return record }
        }
        return nil
    }

    var lastFindings: [String] { lastRecord?.findings.map(\.rule.description) ?? [] }
}

/// Collects what devices' viewers would be sent.
final class RecordingNotifier: DeviceNotifier {
    struct Note {
        let clients: [UInt32]
        let event: Event
        let arrival: PushEngine.InboundPush?
    }

    private(set) var notes: [Note] = []
    private(set) var dismissed: [UInt32] = []

    func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.InboundPush?) {
        notes.append(Note(clients: viewers.map(\.connection.slot), event: event, arrival: arrival))
    }

    func dismiss(_ viewers: [PushEngine.Viewer]) { dismissed += viewers.map(\.connection.slot) }

    /// The pushes so far: the push, and how often it was sent to the device.
    func takeArrivals() -> [String] {
        defer { notes = [] }
        return notes.compactMap { note in note.arrival.map { "\($0.id) \($0.attempt)" } }
    }
}

/// A row of a test table: steps, and the events that they must cause.
struct Steps: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let events: [String]
    let run: @Sendable (EngineFixture) -> Void

    init(_ name: String, _ events: [String], _ run: @escaping @Sendable (EngineFixture) -> Void) {
        testDescription = name
        self.events = events
        self.run = run
    }
}
