import HTTPCore
import PushCore

@testable import APNs

/// A valid push. Each test row changes the part that it tests.
struct PushSample: Sendable {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    static let device = String(repeating: "a1B2", count: 16)
    static let key = "ABCDE12345"
    static let team = "TEAM567890"

    var method = "POST"
    var path = "/3/device/\(PushSample.device)"
    /// Nil to send no field.
    var authorization: String? = "bearer \(PushSample.token())"
    var topic: String? = "com.example.app"
    var more: [(String, String)] = []
    var body = #"{"aps":{"alert":"Hello"}}"#
    var isOverLimit = false

    init(_ change: (inout PushSample) -> Void = { _ in }) { change(&self) }

    /// A JWT. Its signature is the single byte that the tests' verifier accepts.
    static func token(
        head: String? = nil, claims: String? = nil, key: String = PushSample.key, team: String = PushSample.team,
        age: Int64 = 0, signature: [UInt8] = [1]
    ) -> String {
        let head = head ?? #"{"alg":"ES256","kid":"\#(key)"}"#
        let claims = claims ?? #"{"iss":"\#(team)","iat":\#(now.seconds - age)}"#
        return [Array(head.utf8), Array(claims.utf8), signature].map { Base64URL.encode($0) }.joined(separator: ".")
    }

    var request: Request {
        var headers = HeaderBlock([.method: method, .path: path])
        if let authorization { headers.append(.authorization, authorization) }
        if let topic { headers.append(.apnsTopic, topic) }
        for (name, value) in more { headers.append(HeaderName(name), value) }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(body.utf8)
        request.bodyIsOverLimit = isOverLimit
        return request
    }

    /// A policy that knows the key above.
    static func policy(_ change: (inout APNsPolicy) -> Void = { _ in }) -> APNsPolicy {
        var policy = APNsPolicy()
        policy.keys[key] = ProviderKey(id: key, team: team)
        change(&policy)
        return policy
    }

    func verdict(
        on session: inout APNsSession, _ policy: APNsPolicy = PushSample.policy(),
        in environment: PushEnvironment = .production, at now: Timestamp = PushSample.now,
        binding: TokenBinding? = nil, verify: @escaping APNsSession.Verifier = { $2 == [1] }
    ) -> Verdict {
        var memo = PushCheckCache()
        return verdict(on: &session, &memo, policy, in: environment, at: now, binding: binding, verify: verify)
    }

    static func refusesSignatures(_: String, _: [UInt8], _: [UInt8]) -> Bool { false }

    /// The verdict after the pushes that the memo has seen.
    func verdict(
        on session: inout APNsSession, _ memo: inout PushCheckCache, _ policy: APNsPolicy = PushSample.policy(),
        in environment: PushEnvironment = .production, at now: Timestamp = PushSample.now,
        binding: TokenBinding? = nil, verify: @escaping APNsSession.Verifier = { $2 == [1] }
    ) -> Verdict {
        let request = request
        var draft = APNsDraft(request.headers, in: environment)
        draft.binding = binding
        let refusal = APNsDialect(policy, verify: verify).refusal(
            of: PushContext(request, id: PushID(1), in: environment, at: now), &draft, &session, &memo)
        return Verdict(
            refusal: refusal, findings: draft.findings.map(\.rule.description), app: draft.app)
    }

    /// The verdict on a new connection.
    func verdict(
        _ policy: APNsPolicy = PushSample.policy(), certificate: ProviderCertificate? = nil,
        binding: TokenBinding? = nil
    ) -> Verdict {
        var session = APNsSession(certificate: certificate)
        return verdict(on: &session, policy, binding: binding)
    }
}

struct Verdict: Equatable {
    let refusal: APNsRefusal?
    let findings: [String]
    let app: String

    static func == (one: Verdict, other: Verdict) -> Bool {
        one.reason == other.reason && one.refusal?.detail == other.refusal?.detail && one.findings == other.findings
            && one.app == other.app
    }

    var reason: APNsReason? { refusal?.reason }
    /// The payload rule for which the push was refused.
    var rule: String? { refusal?.detail?.rule.description }
}
