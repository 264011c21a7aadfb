internal import JSON
package import PushCore

/// An error in the form that Google's API servers send (docs/evidence/fcm.md §1.3, §1.5).
package struct GoogleError: Error, Sendable {
    package let code: Int
    let status: String
    package let message: String
    var details: [Detail] = []
    /// The value of `www-authenticate`.
    var challenge: String?
    package private(set) var rule: RuleID
    /// The sentence for the log, if Google's message says too little. It takes precedence over `meaning`, and may also
    /// say what to do.
    var hint: String?
    /// What is wrong with which value. Findings and `pushpit check` show this sentence instead of Google's message. The
    /// answer to the client still has Google's message.
    var meaning: String?

    enum Detail: Sendable {
        case badRequest([Violation])
        /// A BadRequest without a list of violations, as captured.
        case emptyBadRequest
        case fcmError(String)
        case apnsError(status: Int, reason: String)
        case help(description: String, url: String)
        case errorInfo(reason: String, domain: String, metadata: [(String, String)])
    }

    struct Violation: Sendable {
        let field: String?
        let description: String
        /// The offset of the fault in the body, if known.
        var offset: Int?
        /// What would be right, if the rule's remedy is too general. It is not part of the answer.
        var remedy: String?
    }

    /// FCM's error code, or the name of the status for errors without one.
    package var errorCode: String {
        for case .fcmError(let code) in details { return code }
        return status
    }

    /// The canonical names of the statuses.
    static let statusNames = [
        400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
        409: "ALREADY_EXISTS", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE",
    ]
    /// The names of the statuses in error format 1.
    private static let reasons = [
        400: "badRequest", 401: "authError", 403: "forbidden", 404: "notFound", 409: "alreadyExists",
        429: "rateLimitExceeded", 500: "backendError", 503: "backendError",
    ]

    private var lacksCredentials: Bool {
        details.contains { if case .errorInfo("CREDENTIALS_MISSING", _, _) = $0 { true } else { false } }
    }

    init(_ code: Int, _ message: String, _ details: [Detail] = [], challenge: String? = nil, rule: String) {
        self.code = code
        status = Self.statusNames[code] ?? "UNKNOWN"
        self.message = message
        self.details = details
        self.challenge = challenge
        self.rule = RuleID(rule)
    }

    /// The reason in one line, for the log. Nil if Google's message does not say which value is wrong, so that the
    /// meaning of the rule says more.
    var sentence: String? { hint ?? meaning ?? (namesValue ? line : nil) }

    /// Google's message in one line. Messages about several faults have several lines.
    var line: String { message.split(separator: "\n").joined(separator: " ") }

    private var namesValue: Bool {
        message != Self.badArgument && details.contains { if case .badRequest = $0 { true } else { false } }
    }

    /// The same answer for another reason.
    func with(rule: RuleID, hint: String) -> GoogleError {
        var error = self
        (error.rule, error.hint) = (rule, hint)
        return error
    }

    /// - Parameter isFormat1: whether to use the older format, with a list of errors and without details.
    func body(isFormat1: Bool, isPretty: Bool) -> [UInt8] {
        var json = JSONWriter(isPretty ? .pretty : .compact, escapesMarkup: true)
        json.object { json in
            json.key("error")
            json.object { json in
                json.member("code", code)
                json.member("message", message)
                if isFormat1 { writeErrors(to: &json) }
                json.member("status", status)
                guard !isFormat1, !details.isEmpty else { return }
                json.key("details")
                json.array { json in for detail in details { json.object { detail.write(to: &$0) } } }
            }
        }
        return json.finish() + (isPretty ? [0x0A] : [])
    }

    private func writeErrors(to json: inout JSONWriter) {
        json.key("errors")
        json.array { json in
            json.object { json in
                guard code == 401, challenge != nil else {
                    json.member("message", message)
                    json.member("domain", "global")
                    return json.member("reason", Self.reasons[code] ?? "backendError")
                }
                // Recorded from other Google APIs (docs/evidence/fcm.md §1.7).
                json.member("message", lacksCredentials ? "Login Required." : "Invalid Credentials")
                json.member("domain", "global")
                json.member("reason", lacksCredentials ? "required" : "authError")
                json.member("location", "Authorization")
                json.member("locationType", "header")
            }
        }
    }
}

extension GoogleError.Detail {
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .badRequest(let violations):
            json.member("@type", "type.googleapis.com/google.rpc.BadRequest")
            json.key("fieldViolations")
            json.array { json in
                for violation in violations {
                    json.object { json in
                        if let field = violation.field { json.member("field", field) }
                        json.member("description", violation.description)
                    }
                }
            }
        case .emptyBadRequest: json.member("@type", "type.googleapis.com/google.rpc.BadRequest")
        case .fcmError(let code):
            json.member("@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError")
            json.member("errorCode", code)
        case .apnsError(let status, let reason):
            json.member("@type", "type.googleapis.com/google.firebase.fcm.v1.ApnsError")
            json.member("statusCode", status)
            json.member("reason", reason)
        case .help(let description, let url):
            json.member("@type", "type.googleapis.com/google.rpc.Help")
            json.key("links")
            json.array { json in
                json.object { json in
                    json.member("description", description)
                    json.member("url", url)
                }
            }
        case .errorInfo(let reason, let domain, let metadata):
            json.member("@type", "type.googleapis.com/google.rpc.ErrorInfo")
            json.member("reason", reason)
            json.member("domain", domain)
            json.key("metadata")
            json.object { json in for (key, value) in metadata { json.member(key, value) } }
        }
    }
}
