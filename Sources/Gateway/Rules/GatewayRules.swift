internal import HTTP1
internal import PushCore

/// What Pushpit itself refuses, before any dialect sees it.
enum GatewayRules {
    static let all: [Rule] =
        [
            Rule(
                "oauth.refused", .refusal(400), "A service account's claims got no access token; the answer says why.",
                .ours),
            Rule(
                "gateway.bad-call", .refusal(400),
                "The body of a control API call is no JSON, or has a member that is wrong or unknown.", .ours),
            Rule(
                "gateway.bad-handshake", .refusal(400),
                "The WebSocket handshake of a device has a bad key or offers only subprotocols that are not spoken.",
                .ours),
            Rule(
                "gateway.no-token", .refusal(401),
                "A page of Pushpit's own was asked for without the token that --api-token sets.", .ours),
            Rule(
                "gateway.stranger", .refusal(403),
                "The host or the web origin of a request for Pushpit's own pages is neither loopback nor allowed.",
                .ours),
            Rule(
                "gateway.no-such-path", .refusal(404),
                "Nothing is served at the path, or what its id names is not there.", .ours),
            Rule(
                "gateway.wrong-method", .refusal(405),
                "The path is served, but not for this method.", .ours),
            Rule(
                "gateway.conflict", .refusal(409),
                "As many faults are set as there may be, 1,000.", .ours),
            Rule(
                "gateway.disk", .refusal(503), "With --data: the disk does not take pushes, so none is accepted.", .ours
            ),
            Rule(
                "gateway.body-too-long", .refusal(413),
                "The body is longer than one of Pushpit's own paths takes.", .ours),
            Rule(
                "gateway.no-upgrade", .refusal(426),
                "The path of the device socket was asked for without a WebSocket upgrade, or with another version of it.",
                .ours),
            Rule(
                "gateway.not-there-yet", .refusal(501),
                "The method is unknown, the page is not built yet, or a socket was asked for over HTTP/2.",
                .ours),
            Rule(
                "http2.header-too-large", .refusal(431),
                "The fields of an HTTP/2 request have more than 8,000 octets together; its stream is reset, or it is answered 431.",
                .ours),
        ] + Refusal.allCases.map { Rule($0.id, .refusal($0.status), $0.reason, .ours) }
}
