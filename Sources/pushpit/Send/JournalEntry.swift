internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushpitClient

/// A push that `send` has sent, with its answer.
struct SentPush {
    let provider: Provider
    let body: [UInt8]
    let answer: Response
    /// Whether `/token` refused, so that the message was not sent.
    var isFromTokenEndpoint = false

    var isRefused: Bool { answer.status != 200 }
}

/// What the gateway's journal says about a push that was just sent.
struct JournalEntry {
    let id: String
    /// The rule that decided; nil if the gateway does not say.
    let rule: String?
    /// Whether the push was accepted. The answer can be a refusal all the same, if a fault delivers the push.
    let isAccepted: Bool
    let findings: [Finding]

    /// How many messages to search for the push, newest first. They have its provider and status. The push may not be
    /// the first of them, because other senders may have sent messages after it.
    private static let searchLimit = 20

    /// Asks the control API for its newest messages. Nil if it is out of reach.
    static func list(for push: SentPush, from client: ControlClient) -> ControlClient.Answer? {
        let query = "provider=\(push.provider.rawValue)&status=\(push.answer.status)&limit=\(searchLimit)"
        return try? client.get("/messages?\(query)")
    }

    /// What to say if the gateway does not show its journal because of its token; nil for any other answer.
    static func notice(about status: Int, hasToken: Bool) -> String? {
        guard status == 401 else { return nil }
        let remedy =
            hasToken ? "--api-token is not the one that the gateway was started with" : "pass its --api-token"
        return "what the gateway found in the push is not shown, because its control API requires a token: \(remedy)"
    }

    /// - Parameter list: the answer to `GET /messages`.
    init?(of push: SentPush, in list: [UInt8]) {
        let sent = Self.recorded(push.body)
        let messages = (try? JSONDocument(parsing: list))?.root["messages"]
        guard let message = messages?.elements.first(where: { Self.body(of: $0) == sent }) else { return nil }
        id = message["id"]?.string ?? ""
        rule = message["why"]?.string
        isAccepted = message["outcome"]?.string == "accepted"
        findings =
            message["findings"]?.elements.compactMap { finding in
                guard let rule = finding["rule"]?.string, let text = finding["message"]?.string,
                    let severity = Finding.Severity(rawValue: finding["severity"]?.string ?? "")
                else { return nil }
                return Finding(rule, severity, at: finding["path"]?.string ?? "", text)
            } ?? []
    }

    /// A body as the journal writes it: as JSON, or as a string if it is not JSON.
    private static func recorded(_ body: [UInt8]) -> [UInt8] {
        guard let document = try? JSONDocument(parsing: body) else { return body }
        var json = JSONWriter()
        json.value(document.root)
        return json.finish()
    }

    private static func body(of message: JSONView) -> [UInt8] {
        guard let body = message["request"]?["body"] else { return [] }
        return body.utf8.map(Array.init) ?? Array(body.source)
    }
}
