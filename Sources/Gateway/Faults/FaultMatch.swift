internal import APNs
internal import HTTPCore
internal import JSON
internal import PushCore

/// Which requests a fault is for; what is not said matches all.
struct FaultMatch: Sendable {
    private var provider: Provider?
    private var app: String?
    private var token: String?
    private var topic: String?
    private var pushType: String?
    private var environment: PushEnvironment?
    /// What the true answer is: a reason like `ExpiredProviderToken`, or `accepted`.
    private var reason: String?

    /// A request with what was truly decided about it.
    struct Candidate {
        let request: Request
        let app: String
        let environment: PushEnvironment
        let token: String?
        /// Nil: accepted.
        let reason: String?
    }

    init() {}

    init(_ json: JSONView, at pointer: String) throws(ControlProblem) {
        var fields = try FieldReader(json, at: pointer)
        provider = try fields.word("provider", Provider.self)
        app = try fields.string("app")
        token = try fields.string("token")?.lowercased()
        topic = try fields.string("topic")
        pushType = try fields.string("pushType")
        environment = try fields.word("environment", PushEnvironment.self)
        reason = try fields.string("reason")
        try fields.end()
    }

    /// Nothing is said.
    var isForAll: Bool {
        provider == nil && app == nil && token == nil && topic == nil && pushType == nil && environment == nil && reason == nil
    }

    func matches(_ candidate: Candidate) -> Bool {
        func has(_ wanted: String?, _ found: String?) -> Bool { wanted == nil || wanted == found }
        func hasField(_ wanted: String?, _ name: HeaderName) -> Bool {
            wanted == nil || candidate.request.headers.first(name)?.elementsEqual((wanted ?? "").utf8) == true
        }
        return (provider == nil || provider == .apns) && has(app, candidate.app) && has(token, candidate.token)
            && (environment == nil || environment == candidate.environment)
            && has(reason, candidate.reason ?? "accepted")
            && hasField(topic, .apnsTopic) && hasField(pushType, .apnsPushType)
    }
}
