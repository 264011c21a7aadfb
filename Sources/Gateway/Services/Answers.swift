internal import ControlAPI
internal import PushEngine
internal import HTTPCore

/// What our own services say to a person.
enum Answers {
    static let ok = text(200, "ok")
    static let goingDown = text(503, "going down")
    static let notFound = text(404, "Nothing is served at this path.")
    static let needsHTTP2 = text(
        505, "APNs speaks HTTP/2 only: with curl, add --http2 (or --http2-prior-knowledge without TLS).")
    static let noSocketHere = text(
        501, "Open this as a WebSocket over HTTP/1.1: HTTP/2 is not spoken here for sockets.")
    static let console = text(
        200,
        """
        Pushpit: the push service on your own machine.
        POST /3/device/TOKEN answers like APNs, POST /v1/projects/PROJECT/messages:send like FCM.
        /api/v1/messages lists what came, /docs every call, /openapi.json is for programs; /metrics counts.
        """)
    static func metrics(_ page: String) -> Response {
        Response(status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", text: page)
    }

    /// What every service refuses the same way: its method, or too long a body.
    static func refusal(of request: Request, by service: Service) -> Response? {
        if let methods = service.methods, !methods.contains(request.method) {
            let names = methods.map(\.rawValue).joined(separator: ", ")
            guard request.method != .other else { return text(501, "This method is not known here; send \(names).") }
            var refusal = text(405, "\(request.method.rawValue) can't be asked of this path; send \(names).")
            refusal.headers.append(.allow, names)
            return refusal
        }
        if request.bodyIsOverLimit, service == .control { return ControlAPI.tooLong.response }
        return request.bodyIsOverLimit ? text(413, "The body is longer than this path takes.") : nil
    }

    /// What a refusal that no dialect has made is called in the log.
    static func rule(_ status: Int, _ service: Service) -> String {
        if status == 400, service == .deviceSocket { return "gateway.bad-handshake" }
        return rules.first { $0.status == status }?.rule ?? "gateway.\(status)"
    }

    private static let rules: [(status: Int, rule: String)] = [
        (400, "gateway.bad-call"), (401, "gateway.no-token"), (403, "gateway.stranger"),
        (404, "gateway.no-such-path"), (405, "gateway.wrong-method"), (409, "gateway.conflict"),
        (413, "gateway.body-too-long"),
        (426, "gateway.no-upgrade"), (501, "gateway.not-there-yet"), (505, "apns.needs-http2"),
    ]

    private static func text(_ status: Int, _ sentence: String) -> Response {
        Response(status: status, contentType: "text/plain; charset=utf-8", text: sentence + "\n")
    }
}
