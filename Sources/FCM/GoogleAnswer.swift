package import HTTPCore
internal import JSON
package import PushCore

/// What is answered to one of Google's calls, and what is to be said of it in the log.
package struct GoogleAnswer: ~Copyable {
    package var response: Response
    /// Nil: it was done.
    package var rule: RuleID?
    /// Why it was refused, for people.
    package var because: String?
    package var findings: [Finding] = []

    package init(response: Response, rule: RuleID? = nil, because: String? = nil) {
        self.response = response
        self.rule = rule
        self.because = because
    }

    /// To a message by the API that is gone: what it has to be now is only noted.
    package init(legacy request: Request) {
        self.init(
            response: GoogleNotFoundPage.deprecated, rule: RuleID("fcm.legacy-gone"),
            because: "Google ended this API in 2024; use messages:send")
        let document = try? GoogleBody.parse(request)
        findings = document.map(LegacyMessage.findings) ?? []
    }

    /// Too much was sent, and quotas are real.
    package init(overQuotaOf project: String, to request: Request) {
        self.init(.overQuota(project), to: request, GoogleQuery(request))
    }

    package init(tooManyFanOutsBy request: Request) { self.init(.quotaExceeded, to: request, GoogleQuery(request)) }

    init(_ error: GoogleError, to request: Request, _ query: GoogleQuery) {
        self.init(
            response: Self.response(error, to: request, query), rule: error.rule, because: error.hint ?? error.message)
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

    /// An accepted message's answer up to its name, and what comes behind that: the same as `response` writes.
    static func opening(for project: String) -> [UInt8] {
        var json = JSONWriter(escapesMarkup: true)
        json.string("projects/\(project)/messages/")
        return Array("{\n  \"name\": ".utf8) + json.finish().dropLast()
    }

    static let closing = Array("\"\n}\n".utf8)

    /// An object in Google's framing.
    static func response(_ status: Int, _ body: (inout JSONWriter) -> Void, isPretty: Bool) -> Response {
        var room: [UInt8] = []
        room.reserveCapacity(usualLength)
        var json = JSONWriter(isPretty ? .pretty : .compact, appendingTo: room, escapesMarkup: true)
        json.object(body)
        var bytes = json.finish()
        if isPretty { bytes.append(0x0A) }
        return framed(status, bytes)
    }

    /// Octets of a success.
    private static let usualLength = 160

    /// Chunked, as it was seen.
    static func framed(_ status: Int, _ body: [UInt8]) -> Response {
        var response = Response(status: status, headers: headers, body: .bytes(body))
        response.hidesLength = true
        return response
    }

    /// As seen on a part of a batch and on sibling APIs (facts/fcm.md §1.5); without Alt-Svc, which would lead clients
    /// away, and without times of machines that are not there.
    package static let headers: HeaderBlock = {
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

/// A body as Google's calls read it.
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

    /// In small letters; `|` with a blank makes those of capitals, and leaves the rest.
    private static let form = Array("application/x-www-form-urlencoded".utf8)

    /// A form's names are taken for fields (facts/fcm.md §1.2, from memory); what else a body says it is does not matter.
    static func refuseForm(_ request: Request) throws(GoogleError) {
        let headers = request.headers
        guard let range = headers.range(of: .contentType), range.count >= form.count else { return }
        for (index, octet) in form.enumerated() where headers.storage[range.lowerBound + index] | 0x20 != octet {
            return
        }
        let names = Form(request.body).names
        if !names.isEmpty { throw .unbound(names, rule: "fcm.form-body") }
    }
}
