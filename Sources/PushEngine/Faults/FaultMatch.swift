internal import APNs
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore

/// The requests that a fault applies to. Members that are nil or empty match everything.
package struct FaultMatch: Sendable {
    private var provider: Provider?
    package private(set) var app: String?
    private var token: String?
    private var topic: String?
    private var path: String?
    private var pushType: String?
    private var environment: PushEnvironment?
    private var headers: [(name: String, value: String)] = []
    /// Values that the body must have.
    private var body: [(pointer: JSONPointer, value: JSONValue)] = []
    /// The reason of the real answer, such as `ExpiredProviderToken`, or `accepted`.
    private var reason: String?

    /// A request and the real decision about it.
    struct Candidate {
        var provider = Provider.apns
        /// Nil for APNs.
        var service: GoogleService?
        let app: String
        /// The Firebase project, which `match.app` matches too.
        var project: String?
        var environment: PushEnvironment?
        var token: String?
        /// The device's other identifier: the installation id if `token` is a registration token, and vice versa.
        var otherToken: String?
        var topic: String?
        /// Whether the request is about a topic or a condition.
        var isForTopic = false
        var pushType: String?
        /// Nil if there is no request.
        var request: Request?
        /// The reason for the refusal. Nil if the request is accepted, and empty if the decision is not known yet.
        var reason: String?
    }

    init() {}

    init(_ json: JSONView, at pointer: String) throws(ControlProblem) {
        var fields = try FieldReader(json, at: pointer)
        provider = try fields.word("provider", Provider.self)
        app = try fields.string("app")
        token = try fields.string("token")
        topic = try fields.string("topic")
        path = try fields.string("path")
        pushType = try fields.string("pushType")
        environment = try fields.word("environment", PushEnvironment.self)
        reason = try fields.string("reason")
        if let json = fields.value("headers") {
            guard json.kind == .object else {
                throw fields.problem("headers", "must be an object of header names and values")
            }
            for (key, value) in json.members {
                guard let text = value.string else { throw fields.problem("headers", "must have strings as values") }
                headers.append(((key.string ?? "").lowercased(), text))
            }
        }
        if let json = fields.value("body") {
            guard json.kind == .object else {
                throw fields.problem("body", "must be an object of JSON pointers and values")
            }
            for (key, value) in json.members {
                guard let pointer = JSONPointer(key.string ?? "") else {
                    throw fields.problem("body", "must have JSON pointers such as /aps/alert as names")
                }
                body.append((pointer, JSONValue(value)))
            }
        }
        try fields.end()
    }

    /// Whether this names a path.
    var hasPath: Bool { path != nil }

    var matchesEverything: Bool {
        provider == nil && app == nil && token == nil && topic == nil && path == nil && pushType == nil
            && environment == nil
            && reason == nil && headers.isEmpty && body.isEmpty
    }

    func matches(_ candidate: Candidate) -> Bool {
        func has(_ wanted: String?, _ found: String?) -> Bool { wanted == nil || wanted == found }
        return (provider == nil || provider == candidate.provider)
            && (app == nil || app == candidate.app || app == candidate.project) && hasToken(candidate)
            && (environment == nil || environment == candidate.environment)
            && has(reason, candidate.reason ?? "accepted")
            && has(topic, candidate.topic) && has(pushType, candidate.pushType)
            && (path.map { candidate.request?.path.elementsEqual($0.utf8) ?? false } ?? true)
            && (headers.isEmpty && body.isEmpty || candidate.request.map(hasParts) ?? false)
    }

    private func hasParts(_ request: Request) -> Bool {
        let hasHeaders = headers.allSatisfy { name, value in
            request.headers.contains { $0.name.elementsEqual(name.utf8) && $0.value.elementsEqual(value.utf8) }
        }
        guard hasHeaders, !body.isEmpty else { return hasHeaders }
        guard
            let root = (try? JSONDocument(parsing: request.body, dialect: provider == .apns ? .rfc8259 : .google))?.root
        else { return false }
        return body.allSatisfy { pointer, value in root[pointer].map { JSONValue($0) } == value }
    }

    /// APNs tokens are hexadecimal and case-insensitive.
    private func hasToken(_ candidate: Candidate) -> Bool {
        guard let token else { return true }
        return candidate.provider == .apns
            ? token.lowercased() == candidate.token : [candidate.token, candidate.otherToken].contains(token)
    }
}
