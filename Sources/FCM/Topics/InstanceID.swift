package import HTTPCore
internal import JSON
package import PushCore

/// The Instance ID API, which subscribes registration tokens to topics and imports APNs tokens (docs/evidence/fcm.md
/// §7.2, documented).
package struct InstanceID {
    private let policy: FCMPolicy
    private let request: Request

    private static let maximumTokens = 1000

    package init(_ policy: FCMPolicy, _ request: Request) {
        self.policy = policy
        self.request = request
    }

    /// An error for the whole call. The texts are quoted, except the one for an invalid body.
    private struct Fault: Error {
        let status: Int
        let text: String
        let rule: String

        static let badBody = Fault(status: 400, text: "INVALID_ARGUMENT", rule: "iid.bad-call")
        static let badToken = Fault(status: 400, text: "InvalidToken", rule: "iid.bad-token")
        static let unknown = Fault(
            status: 404, text: "No information found about this instance id.", rule: "iid.unknown-token")
    }

    /// - Parameter token: finds the registration token that belongs to an APNs token.
    package func answer(
        _ route: GoogleRoute, at now: Timestamp, bearers: BearerBook, token: (_ apnsToken: String) -> String?,
        _ perform: TopicSubscriptions.Perform
    ) -> GoogleAnswer {
        guard isAllowed(bearers, at: now) else { return Self.unauthorized }
        do throws(Fault) {
            switch route {
            case .batch(let isAdding): return Self.answer(try batch(isAdding ? .subscribe : .unsubscribe, perform))
            case .batchImport: return Self.answer(try imported(token))
            case .relation(let token, let topic):
                guard FCMSyntax.isTopic(topic) else { throw .badBody }
                if let code = errorCode(TopicCall(verb: .subscribe, token: token, project: nil, topic: topic), perform)
                {
                    throw code == "NOT_FOUND" ? .unknown : Fault(status: 400, text: code, rule: "iid.bad-call")
                }
                return Self.answer { _ in }
            case .info(let token): return Self.answer(try info(token, perform))
            case .send, .token, .subscriptions, .legacySend, .removedBatch, .connect, .none:
                preconditionFailure("\(route) is not a call of the Instance ID API")
            }
        } catch {
            var json = JSONWriter()
            json.object { $0.member("error", error.text) }
            let response = Response(
                status: error.status, headers: HeaderBlock([.contentType: "application/json; charset=UTF-8"]),
                body: .bytes(json.finish()))
            return GoogleAnswer(response: response, rule: RuleID(error.rule), because: error.text)
        }
    }

    /// Whether the credentials are sufficient. A bearer token needs the header `access_token_auth: true` too
    /// (documented); server keys are not verified, and `--auth strict` refuses them.
    private func isAllowed(_ bearers: BearerBook, at now: Timestamp) -> Bool {
        guard policy.requiresCredentials else { return true }
        if request.headers.first(.authorization)?.starts(with: "key=".utf8) == true {
            return !policy.requiresKnownBearers
        }
        guard request.headers.first(HeaderName("access_token_auth"))?.elementsEqual("true".utf8) == true else {
            return false
        }
        do throws(GoogleError) {
            return try FCMCredentials.sender(of: request, GoogleQuery(request), policy, bearers, at: now).bearer?
                .maySend != false
        } catch { return false }
    }

    private func batch(_ verb: TopicCall.Verb, _ perform: TopicSubscriptions.Perform) throws(Fault) -> (
        inout JSONWriter
    ) -> Void {
        guard let root = try? GoogleBody.parse(request).root, let to = root["to"]?.string, to.hasPrefix("/topics/"),
            let tokens = root["registration_tokens"], tokens.kind == .array, 1...Self.maximumTokens ~= tokens.count
        else { throw .badBody }
        let topic = String(to.dropFirst(8))
        guard FCMSyntax.isTopic(topic) else { throw .badBody }
        let codes = tokens.elements.map { element in
            element.string.map { errorCode(TopicCall(verb: verb, token: $0, project: nil, topic: topic), perform) }
                ?? "INVALID_ARGUMENT"
        }
        return { json in
            json.key("results")
            json.array { json in
                for code in codes { json.object { json in if let code { json.member("error", code) } } }
            }
        }
    }

    /// The error code for one token; nil if the call succeeded or there was nothing to change.
    private func errorCode(_ call: TopicCall, _ perform: TopicSubscriptions.Perform) -> String? {
        (call.refusal ?? call.error(of: perform(call))).map { Self.errorCodes[$0.rule.description] ?? "UNKNOWN" }
    }

    /// This API's error codes. The keys are the rules of the errors that the other APIs would send.
    private static let errorCodes = [
        "fcm.UNREGISTERED": "NOT_FOUND", "fcm.token-malformed": "INVALID_ARGUMENT",
        "fcm.SENDER_ID_MISMATCH": "PERMISSION_DENIED",
        "fcm.too-many-topics": "TOO_MANY_TOPICS", "fcm.topic-quota": "RESOURCE_EXHAUSTED",
        "fcm.QUOTA_EXCEEDED": "RESOURCE_EXHAUSTED",
        "fcm.UNAVAILABLE": "DEADLINE_EXCEEDED", "fcm.INTERNAL": "INTERNAL", "fcm.INVALID_ARGUMENT": "INVALID_ARGUMENT",
    ]

    private func info(_ token: String, _ perform: TopicSubscriptions.Perform) throws(Fault) -> (inout JSONWriter) ->
        Void
    {
        let call = TopicCall(verb: .read, token: token, project: nil)
        let outcome = call.refusal == nil ? perform(call) : .unregistered
        guard case .done(let holder) = outcome else {
            throw FCMSyntax.isToken(token) || call.refusal != nil ? .unknown : .badToken
        }
        let hasDetails = GoogleQuery(request)["details"] == "true"
        return { json in
            json.member("application", holder.app)
            json.member("authorizedEntity", FCMPayload.senderID)
            json.member("platform", holder.platform)
            json.member("scope", "*")
            guard hasDetails, !holder.topics.isEmpty else { return }
            json.key("rel")
            json.object { json in
                json.key("topics")
                json.object { json in
                    for name in holder.names {
                        json.key(name)
                        json.object { $0.member("addDate", String(holder.topics[name]?.description.prefix(10) ?? "")) }
                    }
                }
            }
        }
    }

    /// Imports APNs tokens. Unlike a push to an unknown token, this never creates a device.
    private func imported(_ token: (String) -> String?) throws(Fault) -> (inout JSONWriter) -> Void {
        guard let root = try? GoogleBody.parse(request).root, root["application"]?.string != nil,
            root["sandbox"]?.bool != nil,
            let tokens = root["apns_tokens"], tokens.kind == .array, 1...100 ~= tokens.count
        else { throw .badBody }
        let results = tokens.elements.map { (apns: $0.string ?? "", registration: $0.string.flatMap(token)) }
        return { json in
            json.key("results")
            json.array { json in
                for (apns, registration) in results {
                    json.object { json in
                        json.member("apns_token", apns)
                        json.member("status", registration == nil ? "Internal Server Error" : "OK")
                        if let registration { json.member("registration_token", registration) }
                    }
                }
            }
        }
    }

    private static func answer(_ body: @escaping (inout JSONWriter) -> Void) -> GoogleAnswer {
        GoogleAnswer(response: GoogleAnswer.response(200, body, isPretty: false))
    }

    /// The answer to missing credentials, an HTML page (observed in 2023).
    private static var unauthorized: GoogleAnswer {
        GoogleAnswer(
            response: Response(
                status: 401, contentType: "text/html; charset=UTF-8",
                text: """
                    <HTML>
                    <HEAD>
                    <TITLE>Unauthorized</TITLE>
                    </HEAD>
                    <BODY BGCOLOR="#FFFFFF" TEXT="#000000">
                    <H1>Unauthorized</H1>
                    <H2>Error 401</H2>
                    </BODY>
                    </HTML>

                    """), rule: RuleID("iid.unauthorized"),
            because: "a bearer token with the header 'access_token_auth: true' is required")
    }
}
