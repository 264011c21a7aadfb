internal import APNs
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let credentialRoutes: [Route] = [
        Route(
            .get, "/credentials", "List the known keys and service accounts, without their secrets.",
            query: [.limit, .cursor], answers: [(200, .named("Credentials"))], handle: listCredentials),
        Route(
            .post, "/credentials/apns-keys", "Add an APNs provider key.",
            body: .object([
                Schema.member("keyId", identifierSchema, required: true),
                Schema.member("teamId", identifierSchema, required: true),
                Schema.member("key", .text(), required: true, "The .p8 file or the public key, in PEM format."),
                Schema.member("environment", .words(PushEnvironment.allCases.map(\.rawValue))),
                Schema.member("topics", .list(.text(1...255))),
                Schema.member(
                    "related", identifierSchema,
                    "The id of another key that counts as related (Apple's UnrelatedKeyIdInToken)."),
            ]), answers: [(201, .named("APNsKey"))], handle: addKey),
        Route(
            .post, "/credentials/service-accounts",
            "Add a service account for FCM senders. The body is the JSON file from Google.", body: .map(.anything),
            answers: [(201, .object([Schema.member("clientEmail", .text(), required: true)]))], handle: addAccount),
        Route(
            .delete, "/credentials/apns-keys/{id}",
            "Forget a key that was added. Provider tokens of this key are no longer accepted.", answers: [(204, nil)],
            handle: removeKey),
        Route(
            .delete, "/credentials/service-accounts/{email}",
            "Forget a service account that was added. It gets no new access tokens.", answers: [(204, nil)],
            handle: removeAccount),
        Route(
            .post, "/credentials/expire",
            "Invalidate all provider tokens and access tokens issued so far. With project: only the access tokens of that project's service accounts. With clientEmail: only those of that account. With keyId: only the provider tokens of that key.",
            body: .object([
                Schema.notNull(Schema.member("project", .text(1...255))),
                Schema.notNull(Schema.member("clientEmail", .text(1...256))),
                Schema.notNull(Schema.member("keyId", identifierSchema)),
            ]),
            answers: [(200, .object([Schema.member("expired", .integer(0...Int.max), required: true)]))],
            handle: expireTokens
        ).withOptionalBody,
    ]

    private static let identifierSchema = Schema.text(10...10)

    private static func expireTokens(_ call: Call) throws(ControlProblem) -> Response {
        var scope = TokenScope()
        if !call.request.body.isEmpty {
            var fields = try FieldReader(try call.body(), at: "")
            scope.project = try narrowing("project", orAll: "projects and keys", &fields)
            scope.clientEmail = try narrowing("clientEmail", orAll: "accounts and keys", &fields)
            scope.keyID = try narrowing("keyId", orAll: "projects and keys", &fields)
            try fields.end()
            if let keyID = scope.keyID, !ProviderKey.isID(keyID) {
                throw fields.problem("keyId", "must be ten letters and digits")
            }
            if let project = scope.project, !(1...255).contains(project.utf8.count) {
                throw fields.problem("project", "must be a string of 1 to 255 bytes")
            }
            if let email = scope.clientEmail, !(1...256).contains(email.utf8.count) {
                throw fields.problem("clientEmail", "must be a string of 1 to 256 bytes")
            }
        }
        let count = call.host.box.engine.expireTokens(
            scope, at: call.now, systemTime: call.host.systemTimeNow)
        return .json { $0.member("expired", count) }
    }

    private static func listCredentials(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        let (directory, own) = (call.host.facts.credentials, call.host.facts.keyID)
        // The key whose file is in the directory comes first.
        let keys = call.host.box.engine.dialects.apns.policy.keys.values.sorted {
            ($0.id != own ? 1 : 0, $0.id) < ($1.id != own ? 1 : 0, $1.id)
        }
        let accounts = call.host.facts.accounts
        return .json { json in
            json.member("directory", directory)
            json.member("ca", "\(directory)/ca.pem")
            json.key("apnsKeys")
            json.array { json in for key in page.slice(of: keys) { json.object { write(key, to: &$0) } } }
            json.member("serviceAccounts", Array(page.slice(of: accounts)))
            json.member("next", page.next(of: max(keys.count, accounts.count)))
        }
    }

    private static func addAccount(_ call: Call) throws(ControlProblem) -> Response {
        let body = try call.body()
        guard body.kind == .object else { throw .bad("The body must be a JSON object.", at: "") }
        guard let email = body["client_email"]?.string, 1...256 ~= email.utf8.count else {
            throw .bad("'client_email' must be a string of 1 to 256 bytes.", at: "/client_email")
        }
        guard let pem = body["private_key"]?.string else {
            throw .bad("'private_key' must be a key in PEM format.", at: "/private_key")
        }
        if let reason = call.host.addAccount(email, pem: Array(pem.utf8)) {
            throw .bad("'private_key' cannot be used: \(reason)", at: "/private_key")
        }
        return .json(status: 201) { $0.member("clientEmail", email) }
    }

    private static func write(_ key: ProviderKey, to json: inout JSONWriter) {
        json.member("keyId", key.id)
        json.member("teamId", key.team)
        if let environment = key.environment { json.member("environment", environment.rawValue) }
        if let topics = key.topics { json.member("topics", topics) }
        if let related = key.related { json.member("related", related) }
    }

    /// The ids and limits are Apple's (docs/evidence/apns.md §3.3).
    private static func addKey(_ call: Call) throws(ControlProblem) -> Response {
        var fields = try FieldReader(try call.body(), at: "")
        let id = try identifier("keyId", &fields)
        let team = try identifier("teamId", &fields)
        guard let pem = try fields.string("key") else {
            throw fields.problem("key", "is required: the .p8 file or the public key, in PEM format")
        }
        let environment = try fields.word("environment", PushEnvironment.self)
        let topics = try fields.strings("topics")
        if let topics,
            !(1...400).contains(topics.count) || topics.contains(where: { !(1...255).contains($0.utf8.count) })
        {
            throw fields.problem("topics", "must have 1 to 400 topics of 1 to 255 bytes each")
        }
        let related = try fields.string("related")
        if let related, !ProviderKey.isID(related) { throw fields.problem("related", "must be ten letters and digits") }
        try fields.end()
        let key = ProviderKey(id: id, team: team, environment: environment, topics: topics, related: related)
        if let reason = call.host.addKey(key, pem: Array(pem.utf8)) {
            throw fields.problem("key", "cannot be used: \(reason)")
        }
        return .json(status: 201) { write(key, to: &$0) }
    }

    private static func removeKey(_ call: Call) throws(ControlProblem) -> Response {
        guard call.host.removeKey(call.name) else { throw missing("key", call.name) }
        return Response(status: 204)
    }

    private static func removeAccount(_ call: Call) throws(ControlProblem) -> Response {
        guard call.host.removeAccount(call.name) else { throw missing("service account", call.name) }
        return Response(status: 204)
    }

    private static func missing(_ what: String, _ name: String) -> ControlProblem {
        ControlProblem(
            status: 404, code: "notFound", message: "No \(what) \(name.quoted) was added over this API.")
    }

    private static func identifier(_ key: String, _ fields: inout FieldReader) throws(ControlProblem) -> String {
        guard let text = try fields.string(key), ProviderKey.isID(text) else {
            throw fields.problem(key, "must be ten letters and digits")
        }
        return text
    }
}
