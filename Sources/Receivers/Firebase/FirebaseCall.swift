internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore

/// A call to Firebase Installations or to the registrations of web apps (docs/evidence/receivers.md §5).
struct FirebaseCall {
    enum Target: Equatable {
        case installations
        case installation(String)
        /// `/{fid}/authTokens:generate`
        case newAuthToken(String)
        case registrations
        case registration(String)
    }

    let request: Request
    let project: String
    let target: Target
    /// The body; nil if it is not valid JSON.
    let document: JSONDocument?

    /// Nil if Google has no such call.
    init?(_ request: Request) {
        let segments = request.path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { PercentCode.decode($0, isForm: false) }
        guard segments.count >= 4, segments[0] == "v1", segments[1] == "projects", !segments[2].isEmpty,
            segments.allSatisfy({ $0.utf8.count <= Self.longestSegment })
        else { return nil }
        switch (request.method, segments[3], segments.count) {
        case (.post, "installations", 4): target = .installations
        case (.delete, "installations", 5): target = .installation(segments[4])
        case (.post, "installations", 6) where segments[5] == "authTokens:generate":
            target = .newAuthToken(segments[4])
        case (.post, "registrations", 4): target = .registrations
        case (.patch, "registrations", 5), (.delete, "registrations", 5): target = .registration(segments[4])
        default: return nil
        }
        self.request = request
        project = segments[2]
        document = try? JSONDocument(parsing: request.body)
    }

    private static let longestSegment = 1100

    func field(_ name: String) -> String? {
        request.headers.first(HeaderName(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the call names an API key. Any key will do.
    var hasKey: Bool { field("x-goog-api-key")?.isEmpty == false || QueryReader(request).text("key")?.isEmpty == false }

    /// A member of the body that is a text of at most 1,000 bytes.
    func text(_ path: String...) -> String? {
        var value = document?.root
        for key in path { value = value?[key] }
        return value?.string.flatMap { $0.utf8.count <= 1000 ? $0 : nil }
    }

    static func answer(_ status: Int = 200, _ body: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter(.pretty)
        json.object(body)
        return Response(
            status: status,
            headers: HeaderBlock([
                .contentType: "application/json; charset=UTF-8", HeaderName("x-content-type-options"): "nosniff",
            ]), body: .bytes(json.finish()))
    }
}

/// What Google refuses with (docs/evidence/receivers.md §5).
enum FirebaseError: Error {
    case invalid, unauthenticated, noKey, notFound, full

    var response: Response {
        let (status, word, message) =
            switch self {
            case .invalid: (400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
            case .unauthenticated:
                (
                    401, "UNAUTHENTICATED",
                    "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
                )
            case .noKey: (403, "PERMISSION_DENIED", "The request is missing a valid API key.")
            case .notFound: (404, "NOT_FOUND", "Requested entity was not found.")
            case .full: (429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota).")
            }
        return FirebaseCall.answer(status) { json in
            json.key("error")
            json.object { json in
                json.member("code", status)
                json.member("message", message)
                json.member("status", word)
            }
        }
    }
}
