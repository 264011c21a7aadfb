import HTTPCore
import PushCore

@testable import Receivers

/// A book with one client of Mozilla's push service.
struct AutopushClient {
    private typealias Fixture = ReceiverFixture
    static let channel = "5b1e3f24-0000-4000-8000-00000000000a"

    var real = RealReceivers(seed: 1, isPoint: { $0.count == 65 })
    var book: AutopushBook {
        get { real.mozilla }
        _modify { yield &real.mozilla }
    }
    var session = AutopushSession(base: "https://localhost:2197")

    mutating func say(_ text: String, at now: Timestamp = ReceiverFixture.now) throws -> String {
        var texts = try session.receive(Array(text.utf8), &real.mozilla, Fixture.first, at: now)
        while let next = session.nextMessage(from: &real.mozilla, Fixture.first, at: now) { texts.append(next) }
        return texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    /// The next push that waits.
    mutating func next(at now: Timestamp = ReceiverFixture.now) -> String? {
        session.nextMessage(from: &real.mozilla, Fixture.first, at: now).map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func connect(_ id: String? = nil, at now: Timestamp = ReceiverFixture.now) throws -> String {
        session = AutopushSession(base: "https://localhost:2197")
        let known = id.map { #","uaid":"\#($0)""# } ?? ""
        return try say(#"{"messageType":"hello","use_webpush":true\#(known)}"#, at: now)
    }

    /// Subscribes a channel, and returns the token of its endpoint.
    mutating func subscribe(_ channel: String = channel, key: String? = ReceiverFixture.key) throws -> String {
        let key = key.map { #","key":"\#($0)""# } ?? ""
        let answer = try say(#"{"messageType":"register","channelID":"\#(channel)"\#(key)}"#)
        return String(answer.split(separator: "/").last?.prefix { $0 != "\"" } ?? "")
    }

    mutating func push(_ token: String, _ text: String = "x", _ changes: [String: String?] = [:]) -> WebPushAnswer {
        var fields: [String: String?] = [
            "ttl": "60", "content-encoding": "aes128gcm",
            "authorization": Fixture.vapid(#"{"aud":"https://localhost:1","exp":1790000009}"#),
            ":authority": "localhost:2197",
        ]
        fields.merge(changes) { $1 }
        var headers = HeaderBlock([.method: "POST", .path: "/wpush/v2/\(token)"])
        for (name, value) in fields { if let value { headers.append(HeaderName(name), value) } }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(text.utf8)
        return real.send(WebPush(request, PushID(1), at: Fixture.now))
    }

    var pushes: [WaitingPush] { book.clients[session.client ?? ""]?.queue.pushes ?? [] }
}
