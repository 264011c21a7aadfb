internal import APNs
internal import HTTPCore
internal import JSON
internal import PushCore

extension ControlAPI {
    static let credentialRoutes: [Route] = [
        Route(
            method: .post, path: "/credentials/apns-keys", summary: "Add a key that providers sign with.", handle: addKey)
    ]

    /// Ids and limits as Apple's (facts/apns.md §3.3).
    @Sendable private static func addKey(_ call: Call) throws(ControlProblem) -> Response {
        var fields = try FieldReader(try call.body(), at: "")
        let id = try identifier("keyId", &fields)
        let team = try identifier("teamId", &fields)
        guard let pem = try fields.string("key") else { throw fields.problem("key", "is needed: the .p8 file, or the public key, as PEM") }
        let environment = try fields.word("environment", PushEnvironment.self)
        let topics = try fields.strings("topics")
        if let topics, !(1...400).contains(topics.count) || topics.contains(where: { !(1...255).contains($0.utf8.count) }) {
            throw fields.problem("topics", "must name 1 to 400 topics of 255 octets at most")
        }
        let related = try fields.string("related")
        if let related, !KeyFile.isID(related) { throw fields.problem("related", "must be ten letters and digits") }
        try fields.end()
        let key = ProviderKey(id: id, team: team, environment: environment, topics: topics, related: related)
        if let reason = call.gateway.addKey(key, pem: Array(pem.utf8)) {
            throw fields.problem("key", "can't be used: \(reason)")
        }
        return .json(status: 201) { json in
            json.member("keyId", id)
            json.member("teamId", team)
            if let environment { json.member("environment", environment.rawValue) }
            if let topics {
                json.key("topics")
                json.array { json in for topic in topics { json.value(topic) } }
            }
            if let related { json.member("related", related) }
        }
    }

    private static func identifier(_ key: String, _ fields: inout FieldReader) throws(ControlProblem) -> String {
        guard let text = try fields.string(key), KeyFile.isID(text) else {
            throw fields.problem(key, "must be ten letters and digits")
        }
        return text
    }
}
