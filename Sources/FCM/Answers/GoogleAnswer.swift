package import HTTPCore
internal import JSON
package import PushCore

/// The answer to a request to one of Google's APIs, and what the log says about it.
package struct GoogleAnswer: ~Copyable {
    package var response: Response
    /// The rule that refused the request; nil if it succeeded.
    package var rule: RuleID?
    /// The reason for the refusal. Nil if the meaning of the rule says it best.
    package var because: String?
    package var findings: [Finding] = []

    package init(response: Response, rule: RuleID? = nil, because: String? = nil) {
        self.response = response
        self.rule = rule
        self.because = because
    }

    /// The answer to a message to the discontinued API. The findings show the message as a v1 request.
    package init(legacy request: Request) {
        self.init(
            response: GoogleNotFoundPage.deprecated, rule: RuleID("fcm.legacy-gone"),
            because: "Google discontinued this API in 2024; use messages:send")
        let document = try? GoogleBody.parse(request)
        findings = document.map(LegacyMessage.findings) ?? []
    }

    /// The refusal of `/fcm/connect/subscribe`.
    package static func connectRefused(_ request: Request) -> GoogleAnswer {
        GoogleAnswer(.connectRefused, to: request, GoogleQuery(request))
    }

    init(_ error: GoogleError, to request: Request, _ query: GoogleQuery) {
        self.init(
            response: Self.response(error, to: request, query), rule: error.rule, because: error.sentence)
    }

    static func response(_ error: GoogleError, to request: Request, _ query: GoogleQuery) -> Response {
        let isFormat1 =
            query["$.xgafv"] == "1"
            || request.headers.first(HeaderName("x-goog-api-format-version"))?.elementsEqual("1".utf8) ?? false
        let body = error.body(isFormat1: isFormat1, isPretty: query.isPretty)
        var response = framed(error.code, body)
        if let challenge = error.challenge { response.headers.append(HeaderName("www-authenticate"), challenge) }
        return response
    }

    /// The part of the answer to an accepted message that precedes the message id. This prefix, the id and
    /// `successSuffix` together are exactly the bytes that `response` writes.
    static func successPrefix(for project: String) -> [UInt8] {
        var json = JSONWriter(escapesMarkup: true)
        json.string("projects/\(project)/messages/")
        return Array("{\n  \"name\": ".utf8) + json.finish().dropLast()
    }

    /// The part of the answer to an accepted message that follows the message id.
    static let successSuffix = Array("\"\n}\n".utf8)

    /// A JSON object with Google's headers.
    static func response(_ status: Int, _ body: (inout JSONWriter) -> Void, isPretty: Bool) -> Response {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(typicalLength)
        var json = JSONWriter(isPretty ? .pretty : .compact, appendingTo: buffer, escapesMarkup: true)
        json.object(body)
        var bytes = json.finish()
        if isPretty { bytes.append(0x0A) }
        return framed(status, bytes)
    }

    /// The typical length in bytes of a successful answer.
    private static let typicalLength = 160

    /// A JSON body with Google's headers and without `content-length`, as captured.
    static func framed(_ status: Int, _ body: [UInt8]) -> Response {
        var response = Response(status: status, headers: headers, body: .bytes(body))
        response.hidesLength = true
        return response
    }

    /// The headers of Google's answers, as captured from a batch request and from related APIs (docs/evidence/fcm.md
    /// §1.5).
    ///
    /// Alt-Svc is left out, because it would send clients to another server. Headers about server timing are left out
    /// too.
    static let headers: HeaderBlock = {
        var headers = HeaderBlock([.contentType: "application/json; charset=UTF-8"])
        for name in ["Origin", "X-Origin", "Referer"] { headers.append(HeaderName("vary"), name) }
        for (name, value) in [
            ("server", "scaffolding on HTTPServer2"), ("x-xss-protection", "0"), ("x-frame-options", "SAMEORIGIN"),
            ("x-content-type-options", "nosniff"), ("cache-control", "private"),
        ] {
            headers.append(HeaderName(name), value)
        }
        return headers
    }()
}

/// Parses the bodies of requests to Google's APIs.
enum GoogleBody {
    static func parse(_ request: Request) throws(GoogleError) -> JSONDocument {
        if request.bodyIsOverLimit { throw .tooLarge }
        return try parse(request.body)
    }

    static func parse(_ body: [UInt8]) throws(GoogleError) -> JSONDocument {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: body, limits: JSONLimits(maximumDepth: 100), dialect: .google)
        } catch { throw .notJSON(GoogleJSONFault.text(error, in: body)) }
        if let unrepresentableValue = document.unrepresentableValue {
            throw .notJSON(GoogleJSONFault.text(of: unrepresentableValue, in: body))
        }
        return document
    }

    /// Must be in lower case: `| 0x20` lowercases letters and leaves `-` and `/` unchanged.
    private static let formType = Array("application/x-www-form-urlencoded".utf8)

    /// Refuses a body that is declared as a form, because Google treats the names in it as query parameters
    /// (docs/evidence/fcm.md §1.2, from memory). All other content types are read as JSON.
    static func refuseForm(_ request: Request) throws(GoogleError) {
        let headers = request.headers
        guard let range = headers.range(of: .contentType), range.count >= formType.count else { return }
        for (index, byte) in formType.enumerated() where headers.storage[range.lowerBound + index] | 0x20 != byte {
            return
        }
        let names = Form(request.body).names
        if names.isEmpty { return }
        throw GoogleError.unknownParameters(names).with(
            rule: RuleID("fcm.form-body"),
            hint: "the body is declared as a form (curl -d does that), so its text is read as field names; "
                + "send 'content-type: application/json'")
    }
}
