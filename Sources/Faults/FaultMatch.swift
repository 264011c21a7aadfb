internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore

/// The requests that a fault applies to. Members that are nil or empty match everything.
///
/// A class with constants, because each push asks every fault, and a large value would be copied each time.
package final class FaultMatch: Sendable {
    private let provider: Provider?
    package let app: String?
    private let token: (asGiven: String, inLowerCase: String)?
    private let topic: String?
    private let path: [UInt8]?
    private let pushType: String?
    private let environment: PushEnvironment?
    /// Names and values that the header must have.
    private let headers: [HashedBytes]
    /// Values that the body must have.
    private let body: [(path: JSONLookup.Path, value: HashedJSON)]
    /// The reason of the real answer, such as `ExpiredProviderToken`, or `accepted`.
    private let reason: String?

    /// Matches everything.
    init() {
        (provider, app, token, topic, path) = (nil, nil, nil, nil, nil)
        (pushType, environment, headers, body, reason) = (nil, nil, [], [], nil)
    }

    init(_ json: JSONView, at pointer: String) throws(ControlProblem) {
        var fields = try FieldReader(json, at: pointer)
        provider = try fields.word("provider", Provider.self)
        app = try fields.string("app")
        token = try fields.string("token").map { ($0, $0.lowercased()) }
        topic = try fields.string("topic")
        path = try fields.string("path").map { Array($0.utf8) }
        pushType = try fields.string("pushType")
        environment = try fields.word("environment", PushEnvironment.self)
        reason = try fields.string("reason")
        var (headers, body): ([HashedBytes], [(path: JSONLookup.Path, value: HashedJSON)]) = ([], [])
        if let json = fields.value("headers") {
            guard json.kind == .object else {
                throw fields.problem("headers", "must be an object of header names and values")
            }
            for (key, value) in json.members {
                guard let text = value.string else { throw fields.problem("headers", "must have strings as values") }
                headers.append(RequestParts.field((key.string ?? "").lowercased().utf8, text.utf8))
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
                body.append((JSONLookup.Path(pointer), HashedJSON(JSONValue(value))))
            }
        }
        (self.headers, self.body) = (headers, body)
        try fields.end()
    }

    /// Whether this names a path.
    var hasPath: Bool { path != nil }

    var matchesEverything: Bool {
        provider == nil && app == nil && token == nil && topic == nil && path == nil && pushType == nil
            && environment == nil
            && reason == nil && headers.isEmpty && body.isEmpty
    }

    /// - Parameter parts: the parts of the candidate's request.
    func matches(_ candidate: Candidate, _ parts: inout RequestParts) -> Bool {
        (provider == nil || provider == candidate.provider)
            && (app == nil || app == candidate.app || app == candidate.project) && hasToken(candidate)
            && (environment == nil || environment == candidate.environment)
            && (reason == nil || reason == candidate.reason ?? "accepted")
            && (topic == nil || topic == candidate.topic) && (pushType == nil || pushType == candidate.pushType)
            && (path == nil || path == parts.path) && parts.hasAll(headers)
            && body.allSatisfy { parts.bodyHas($0.value, at: $0.path, isApple: provider == .apns) }
    }

    /// APNs tokens are hexadecimal and case-insensitive.
    private func hasToken(_ candidate: Candidate) -> Bool {
        guard let token else { return true }
        return candidate.provider == .apns
            ? token.inLowerCase == candidate.token
            : token.asGiven == candidate.token || token.asGiven == candidate.otherToken
    }
}
