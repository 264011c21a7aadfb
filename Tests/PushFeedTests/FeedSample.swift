import APNs
import Devices
import FCM
import Faults
import HTTPCore
import JSON
import PushCore
import PushEngine

@testable import PushFeed

/// An engine without authentication, and the feed that reads its events.
final class FeedSample {
    static let start = Timestamp(milliseconds: 1_800_000_000_000)
    static let token = String(repeating: "a1b2c3d4", count: 8)

    var engine: PushEngine
    var feed: PushFeed
    var connection = ConnectionMemory()
    var clock = start
    /// The loop's clock, in milliseconds.
    var now: UInt64 = 5000

    private final class NoViewers: DeviceNotifier {
        func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.InboundPush?) {}
        func dismiss(_ viewers: [PushEngine.Viewer]) {}
    }

    init(limit: Int = PushFeed.usualLimit) {
        var settings = EngineSettings()
        settings.apns.auth = .off
        engine = PushEngine(settings, notifier: NoViewers())
        feed = PushFeed(limit: limit)
    }

    /// Makes a device, and returns its APNs or FCM token.
    @discardableResult func device(_ id: String, _ platform: String = "ios", _ more: String = "") throws -> String {
        let text = #"{"id":"\#(id)","platform":"\#(platform)","app":"com.example.app"\#(more)}"#
        let spec = try DeviceSpec(JSONDocument(parsing: Array(text.utf8)).root, at: "")
        guard let slot = engine.makeDevice(spec, at: clock) else { return "" }
        return platform == "ios" ? engine.devices[slot].apnsToken?.hex ?? "" : engine.devices[slot].fcmToken
    }

    func subscribe(_ id: String, to topic: String) throws {
        guard let slot = engine.devices.slot(of: DeviceID(id)) else { return }
        try engine.perform(.setTopic(topic, isSubscribed: true), on: slot, at: clock)
    }

    func push(_ body: String, to token: String = token, topic: String = "com.example.app") {
        var request = Request(
            version: .http2, headers: HeaderBlock([.method: "POST", .path: "/3/device/\(token)", .apnsTopic: topic]))
        request.body = Array(body.utf8)
        let before = engine.events.newest
        var context = PushContext(request, at: clock)
        let decision = engine.decide(&context, isSandbox: false, &connection)
        feed.received(after: before, refusedBy: decision.refusal?.rule)
    }

    func message(_ members: String) {
        let headers = HeaderBlock([
            .method: "POST", .path: "/v1/projects/demo/messages:send", .contentType: "application/json",
        ])
        var request = Request(version: .http2, headers: headers)
        request.body = Array(#"{"message":{\#(members)}}"#.utf8)
        let before = engine.events.newest
        let decision = engine.answerGoogle(request, &connection.faults, at: clock, systemTime: clock)
        feed.received(after: before, refusedBy: decision.answer.rule)
    }

    func fault(_ text: String) throws {
        let json = try JSONDocument(parsing: Array(text.utf8)).root
        _ = try engine.faults.add(json, at: clock, seed: 7)
    }

    /// The new lines, without the time.
    func take(showsNotes: Bool = false) -> [String] {
        feed.lines(engine, at: now).map { line in
            String(line.text(Colors(isOn: false), showsNotes: showsNotes, Self.explanations).dropFirst(9))
        }
    }

    static var explanations: PushLine.Explanations {
        PushLine.Explanations(
            explain: { id in (APNsRules.all + FCMRules.all + DeviceRules.all).first { $0.id == id } }, amend: { $0 })
    }

    func summary(isEnd: Bool = false) -> String? {
        feed.summary(engine, at: now, isEnd: isEnd).map { String($0.text(at: clock).dropFirst(9)) }
    }
}
