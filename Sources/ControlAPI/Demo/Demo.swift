internal import Devices
internal import HTTPCore
internal import JSON
package import PushCore
internal import PushEngine

/// `--demo`: the last hours of a shop, a news app and a ride app, with their devices, pushes, images and a fault. It is
/// the same on each start, apart from the times and the ids of the pushes.
package struct Demo {
    private let host: DemoHost
    private let end: Timestamp

    private static let seed: UInt64 = 20_261_126
    private static let steps = (shop + news + rides).enumerated()
        .sorted { ($1.element.ago, $0.offset) < ($0.element.ago, $1.offset) }.map(\.element)

    /// Fills a gateway that has nothing yet.
    package static func fill(_ host: any ControlHost) throws(ControlProblem) {
        let saved = (random: host.box.engine.random, forwards: host.box.engine.forwardsHits)
        host.box.engine.random = Random(seed: seed)
        host.box.engine.forwardsHits = false
        defer { (host.box.engine.random, host.box.engine.forwardsHits) = saved }
        let longest = steps.first?.ago ?? 0
        let demo = Demo(
            host: DemoHost(host, at: host.now + -Int64(longest) * 60_000), end: host.now)
        for picture in DemoPicture.allCases {
            let png = picture.png
            var media = Media(contentType: "image/png", size: png.count)
            (media.format, media.content) = (.png, png)
            host.box.engine.setMedia(media, for: picture.url)
        }
        for step in steps {
            demo.host.pass(until: demo.time(step.ago))
            try demo.run(step.action)
        }
        demo.host.pass(until: host.now)
        demo.host.finish()
    }

    private func time(_ ago: Int) -> Timestamp { end + -Int64(ago) * 60_000 }

    private func run(_ action: DemoStep.Action) throws(ControlProblem) {
        switch action {
        case .call(let method, let path, let body): try call(method.method, path, body)
        case .subscribe(let topic, let device): try call(.put, "/topics/\(topic)/devices/\(device)", nil)
        case .apple(let id, let fields, let body):
            let device = try call(.get, "/devices/\(id)", nil)
            try push(to: device["tokens"]?["apns"]?["token"], device["app"], fields, body)
        case .activity(let id, let type, let state, let rest): try activity(id, type, state, rest)
        case .google(let id, let project, let message):
            var members: [(key: String, value: JSONValue)] = []
            if let id, let token = try call(.get, "/devices/\(id)", nil)["tokens"]?["fcm"]?["token"] {
                members.append(("token", token))
            }
            if case .object(let others) = message { members += others }
            try call(
                .post, "/messages",
                ["provider": "fcm", "project": .string(project), "body": ["message": .object(members)]])
        case .act(let id, let kind, let action):
            var body: [(key: String, value: JSONValue)] = [("kind", .string(kind))]
            if case .array(let shade)? = try call(.get, "/devices/\(id)/shade", nil)["shade"],
                let newest = shade.max(by: { Self.text($0["time"]) < Self.text($1["time"]) })?["key"],
                ["open", "dismiss", "action"].contains(kind)
            {
                body.append(("notification", newest))
            }
            if let action { body.append(("actionId", .string(action))) }
            try call(.post, "/devices/\(id)/act", .object(body))
        }
    }

    private func push(
        to token: JSONValue?, _ app: JSONValue?, topicSuffix: String = "", _ fields: [String: String], _ body: JSONValue
    ) throws(ControlProblem) {
        var headers = ["apns-push-type": "alert"].merging(fields) { $1 }
        headers["apns-topic"] = Self.text(app) + topicSuffix
        let sorted = headers.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.string($0.value)) }
        try call(
            .post, "/messages", ["provider": "apns", "token": token ?? .null, "headers": .object(sorted), "body": body])
    }

    private func activity(
        _ id: String, _ type: String, _ state: JSONValue, _ rest: JSONValue
    ) throws(ControlProblem) {
        let device = try call(.get, "/devices/\(id)", nil)
        let tokens = device["tokens"]?["liveActivity"]
        let isStart = Self.text(rest["event"]) == "start"
        var aps: [(key: String, value: JSONValue)] = [
            ("timestamp", .int(host.now.seconds)), ("event", rest["event"] ?? "update"), ("content-state", state),
        ]
        if case .object(let members) = rest { aps += members.filter { $0.key != "event" } }
        if isStart { aps.append(("attributes-type", .string(type))) }
        try push(
            to: isStart ? tokens?["start"] : tokens?["updates"]?[type], device["app"],
            topicSuffix: ".push-type.liveactivity", ["apns-push-type": "liveactivity"], ["aps": .object(aps)])
    }

    /// Makes a call. Returns the answer's JSON.
    @discardableResult
    private func call(_ method: HTTPCore.Method, _ path: String, _ body: JSONValue?) throws(ControlProblem) -> JSONValue
    {
        var json = JSONWriter()
        if let body { json.value(body) }
        let response = Seed.answer(to: Seed.request(method, path, body == nil ? [] : json.finish()), host)
        guard response.status < 400 else { throw Seed.problem(in: response, under: path) }
        guard case .bytes(let bytes) = response.body, let root = (try? JSONDocument(parsing: bytes))?.root else {
            return .null
        }
        return JSONValue(root)
    }

    private static func text(_ value: JSONValue?) -> String { if case .string(let text)? = value { text } else { "" } }
}

extension DemoStep.DemoMethod {
    fileprivate var method: HTTPCore.Method {
        switch self {
        case .post: .post
        case .put: .put
        case .patch: .patch
        }
    }
}
