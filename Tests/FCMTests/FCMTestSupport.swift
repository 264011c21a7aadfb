import HTTPCore
import JSON
import PushCore
import Platform
import Testing

@testable import FCM

/// Values that the FCM tests share.
enum FCMCase {
    static let now = Timestamp(milliseconds: 1_790_000_000_000)
    static let project = "demo"
    static let installation = "cABCDEFGHIJKLMNOPQRSTU"
    static let token = installation + ":APA91" + String(repeating: "b", count: 134)

    static func request(
        _ method: Method, _ path: String, body: String = "", headers: [(name: String, value: String)] = []
    ) -> Request {
        var block = HeaderBlock([.method: method.rawValue, .scheme: "https", .authority: "localhost", .path: path])
        for (name, value) in headers { block.append(HeaderName(name), value) }
        var request = Request(version: .http2, headers: block)
        request.body = Array(body.utf8)
        return request
    }

    /// A request for `messages:send` with a bearer token.
    static func send(
        _ body: String, query: String = "", headers: [(name: String, value: String)] = []
    ) -> Request {
        let authorized = headers.contains { $0.name == "authorization" }
        return request(
            .post, "/v1/projects/\(project)/messages:send\(query)", body: body,
            headers: (authorized ? [] : [("authorization", "Bearer ya29.a")]) + headers)
    }

    static func document(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }

    static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.finish(), as: UTF8.self)
    }

    /// The rows of the recorded answers, by id.
    static let recorded: [String: JSONView] = {
        let lines = ((try? Files.read(fixture("fcm-errors.jsonl"))) ?? []).split(separator: 0x0A)
        let rows = lines.compactMap { try? JSONDocument(parsing: Array($0)).root }
        return Dictionary(rows.map { ($0["id"]?.string ?? "", $0) }, uniquingKeysWith: { $1 })
    }()

    static func fixture(_ name: String) -> String {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return "/\(folder)/Conformance/fixtures/\(name)"
    }
}

extension Response {
    var text: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    func values(_ name: String) -> [String] {
        let wanted = HeaderName(name)
        return headers.places.indices.compactMap { index in
            let place = headers.places[index]
            guard wanted.matches(headers.storage.span.extracting(place.name)) else { return nil }
            return String(decoding: headers.storage[place.value], as: UTF8.self)
        }
    }
}

/// The decision about a message, in values that tests can compare.
struct Decision {
    let response: Response
    let reason: String?
    let rule: String?
    let explanation: String?
    let findings: [String]
    let delivery: FCMDelivery?
    let slot: Int?
    let single: String?

    init(_ outcome: consuming FCMDialect.Outcome) {
        reason = outcome.reason
        delivery = outcome.delivery
        slot = outcome.registration?.slot
        single = outcome.target?.single
        rule = outcome.answer.rule?.description
        explanation = outcome.answer.because
        findings = outcome.answer.findings.map(\.rule.description)
        response = outcome.answer.response
    }

    var status: Int { response.status }
    var name: String? {
        (try? FCMCase.document(response.text).root["name"]?.string)?.split(separator: "/").last.map(String.init)
    }
}

/// A sender that posts messages to one dialect.
struct FCMSender {
    var policy = FCMPolicy()
    var bearers = BearerBook()
    var registrations: [String: FCMRegistration] = [:]
    var now = FCMCase.now
    var memo = FCMRequestCache()
    var random = Random(seed: 1)

    init(_ policy: FCMPolicy = FCMPolicy()) { self.policy = policy }

    mutating func post(_ request: Request) -> Decision {
        Decision(
            FCMDialect(policy).decide(
                FCMDialect.Call(request, project: FCMCase.project, at: now), bearers, &memo,
                known: { [registrations] token, _ in registrations[token] }, using: &random))
    }

    mutating func post(_ body: String) -> Decision { post(FCMCase.send(body)) }
}
