import HTTPCore
import JSON
import PushCore

@testable import FCM

private let now = Timestamp(milliseconds: 1_790_000_000_000)

private func request(_ method: Method, _ path: [UInt8], _ body: [UInt8]) -> Request {
    var block = HeaderBlock([
        .method: method.rawValue, .scheme: "https", .authority: "localhost", HeaderName("access_token_auth"): "true",
    ])
    block.append(.path, path[...])
    var request = Request(version: .http2, headers: block)
    request.body = body
    return request
}

/// A message's body: the dialect and `pushpit check` judge it alike, and what an app would get of it is JSON on every
/// platform, each key once where only Google writes.
func fuzzMessage(_ body: [UInt8]) {
    let sent = request(.post, Array("/v1/projects/p/messages:send".utf8), body)
    var (memo, random) = (FCMRequestCache(), Random(seed: 1))
    func decide() -> FCMDialect.Outcome {
        FCMDialect(FCMPolicy(requiresCredentials: false)).decide(
            FCMDialect.Call(sent, project: "p", at: now), BearerBook(), &memo,
            known: { token, _ in
                FCMRegistration(
                    slot: 0, platform: token.utf8.count % 2 == 0 ? .web : .apple, isUnregistered: false, project: nil)
            }, using: &random)
    }
    let first = decide()
    let second = decide()
    demand(first.reason == second.reason, "another verdict the second time")
    demand(first.answer.findings == second.answer.findings, "other findings the second time")
    let report = MessageReport(body, isStrict: true)
    if first.reason == nil {
        demand(!report.isRefused || first.target?.single != nil, "check refuses what is accepted")
    }
    if first.answer.response.status == 400, !body.isEmpty { demand(report.isRefused, "check accepts what is refused") }
    if let file = MessageFile(body) {
        _ = MessageReport(file.body, isStrict: true)
        demand(
            (try? JSONDocument(parsing: file.body(token: "t", topic: nil, isDryRun: true))) != nil
                || first.reason != nil, "made another text")
    }
    guard let delivery = first.delivery, let payload = FCMPayload(body)
    else { return }
    _ = (delivery.google, delivery.apple, delivery.web)
    for write in [payload.writeApple, { payload.writeAndroid(app: "a", to: &$0) }, payload.writeWeb]
        as [(inout JSONWriter) -> Void]
    {
        var json = JSONWriter()
        write(&json)
        let text = json.finish()
        demand((try? JSONDocument(parsing: text)) != nil, "no JSON: \(String(decoding: text, as: UTF8.self))")
    }
}

/// A condition, and which of eight devices it holds for: the same as by its own grammar turned upside down.
func fuzzCondition(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let condition = TopicCondition(text), let not = TopicCondition("!(\(text))") else { return }
    let everybody = DeviceSet(0..<8)
    func members(_ condition: TopicCondition) -> [Int32] {
        condition.members { topic in DeviceSet((0..<8).filter { ($0 >> (topic.utf8.count % 3)) & 1 == 1 }) }.slots {
            everybody
        }
    }
    demand((members(condition) + members(not)).sorted() == Array(0..<8), "neither true nor false, or both: \(text)")
}

/// The first line is a target, the rest a body: every call of Google's answers something, and at most once.
func fuzzGoogleCalls(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let lines = bytes.dropFirst().split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let method = [Method.get, .post, .patch, .delete][Int(first & 3)]
    let call = request(method, Array(lines[0]), lines.count > 1 ? Array(lines[1]) : [])
    var topics: [String: Timestamp] = [:]
    func perform(_ call: TopicCall) -> TopicCall.Outcome {
        guard call.token != "unknown" else { return .unregistered }
        let before = topics[call.topic] != nil
        if call.verb == .subscribe {
            topics[call.topic] = now
        } else if call.verb == .unsubscribe {
            topics[call.topic] = nil
        }
        let holder = TopicRegistration(app: "a", fid: "f", token: call.token, platform: "ANDROID", topics: topics)
        return call.verb == .read || before == (call.verb == .unsubscribe)
            ? .done(holder) : before ? .already(holder) : .missing(holder)
    }
    let policy = FCMPolicy(requiresCredentials: false)
    let route = GoogleRoute(call)
    let status: Int
    switch route {
    case .subscriptions(let project, let registration, let last):
        status =
            TopicSubscriptions(policy, call, project: project, registration: registration, last: last)
            .answer(at: now, bearers: BearerBook(), perform).response.status
    case .batch, .batchImport, .relation, .info:
        status =
            InstanceID(policy, call)
            .answer(route, at: now, bearers: BearerBook(), token: { $0.isEmpty ? nil : $0 }, perform).response.status
    case .token:
        var (bearers, random) = (BearerBook(), Random(seed: 1))
        let oauth = OAuth(policy)
        status =
            oauth.answer(
                call, &bearers, at: OAuth.Time(gateway: now, client: now), verify: { _, _, _ in nil }, using: &random
            ).response.status
    case .legacySend: status = GoogleAnswer(legacy: call).response.status
    case .send(let project):
        demand(1...255 ~= project.utf8.count, "a project of \(project.utf8.count) bytes")
        return
    case .connect: status = GoogleAnswer.connectRefused(call).response.status
    case .removedBatch, .none: status = GoogleNotFoundPage.notFound(call).status
    }
    _ = TopicSubject(route, call)
    demand(200..<600 ~= status, "status \(status)")
    demand(topics.keys.allSatisfy(TopicCall.isTopic), "subscribed to what is no topic: \(topics.keys)")
}
