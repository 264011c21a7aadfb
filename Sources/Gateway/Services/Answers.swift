internal import ControlAPI
internal import HTTPCore
internal import Proxy
internal import PushCore
internal import PushEngine
internal import Routing
internal import Storage

/// The plain text answers of Pushpit's own pages.
enum Answers {
    static let ok = text(200, "ok")
    static let shuttingDown = text(503, "shutting down")
    static func notSaving(_ problem: StorageError?) -> Response {
        let cause = problem.map { ": \($0)" } ?? " fast enough"
        return text(503, "not ready: the event log can't be saved\(cause)")
    }
    static let notFound = text(404, "This path does not exist.")
    static let needsHTTP2 = text(
        505, "APNs requires HTTP/2. With curl, add --http2 (or --http2-prior-knowledge without TLS).")
    static let noSocketHere = text(
        501, "Open this path as a WebSocket over HTTP/1.1. WebSockets over HTTP/2 are not supported.")
    static let proxyWithTLS = text(
        501,
        "Pushpit's proxy speaks HTTP/1.1 without TLS: write its URL with http://, as in HTTPS_PROXY=http://localhost:2197."
    )
    static let tunnelInTunnel = text(403, "This connection is a tunnel already. Open another connection.")
    static func noTunnel(_ problem: VendorHost.Problem) -> Response {
        text(problem == .malformed ? 400 : 403, problem.sentence)
    }
    /// - Parameter certificate: in PEM; empty for a gateway without certificates.
    static func authority(_ certificate: [UInt8]) -> Response {
        if certificate.isEmpty { return notFound }
        var response = Response(status: 200, body: .bytes(certificate))
        response.headers.append(.contentType, "application/x-pem-file")
        return response
    }
    static func metrics(_ page: String) -> Response {
        Response(status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", text: page)
    }

    /// Refuses a request with a wrong method or a body that is too long; nil if the request has neither.
    static func refusal(of request: Request, by service: Service) -> Response? {
        if let methods = service.methods, !methods.contains(request.method) {
            let names = methods.map(\.rawValue).joined(separator: ", ")
            guard request.method != .other else { return text(501, "This method is unknown. Use \(names).") }
            var refusal = text(405, "\(request.method.rawValue) is not allowed on this path. Use \(names).")
            refusal.headers.append(.allow, names)
            return refusal
        }
        if request.bodyIsOverLimit, service == .control { return ControlAPI.tooLong.response }
        // The push services answer such a push themselves.
        if service == .receiver { return nil }
        return request.bodyIsOverLimit ? text(413, "The body is longer than this path accepts.") : nil
    }

    /// The rule id, for the log, of a refusal that comes from neither APNs nor FCM.
    static func rule(_ status: Int, _ service: Service) -> String {
        if status == 400, service == .deviceSocket { return "gateway.bad-handshake" }
        if service == .proxy { return status == 407 ? "gateway.no-proxy-token" : "gateway.no-tunnel" }
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
