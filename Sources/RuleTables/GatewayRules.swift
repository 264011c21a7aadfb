internal import HTTP1
internal import PushCore

/// What Pushpit itself refuses before APNs or FCM sees it: connections, HTTP and its own pages.
enum GatewayRules {
    static let all: [Rule] = own + Refusal.allCases.map(\.rule)

    private static let own = [
        Rule(
            "oauth.refused", .refusal(400), .ours,
            "/token refused the signed claims of a service account, so it issued no access token. The answer says why.",
            "Sign with the key in service-account.json. The claims need a scope, and may be valid for at most one hour."
        ),
        Rule(
            "gateway.bad-call", .refusal(400), .ours,
            "A control API call has a body that is not JSON, or an unknown or invalid member or query parameter.",
            "Correct what the answer names. 'pointer' is the position of a member in the body."),
        Rule(
            "gateway.bad-handshake", .refusal(400), .ours,
            "The WebSocket handshake of a device has an invalid key, or offers only unknown subprotocols.",
            "Offer pushpit.device.v1 or no subprotocol, and a Sec-WebSocket-Key of 16 bytes in base64."),
        Rule(
            "gateway.no-token", .refusal(401), .ours,
            "A request for one of Pushpit's own pages lacks the token that --api-token sets, or has another one.",
            "Add 'authorization: Bearer' with the value of --api-token."),
        Rule(
            "gateway.stranger", .refusal(403), .ours,
            "A request comes from a web page that may not use the gateway, or is for a host name that is neither loopback nor allowed.",
            "Use a loopback host name, or allow the host with --allow-host NAME. Allow a page with --allow-origin ORIGIN."
        ),
        Rule(
            "gateway.no-tunnel", .refusal(403), .ours,
            "A client that uses Pushpit as a proxy asks for a host or port that Pushpit does not answer for.",
            "List the other hosts in NO_PROXY, or start the gateway with --proxy-pass."),
        Rule(
            "gateway.no-proxy-token", .refusal(407), .ours,
            "A client that uses Pushpit as a proxy lacks the token that --api-token sets, or has another one.",
            "Write the token as the password in the proxy's URL, as in HTTPS_PROXY=http://any:TOKEN@HOST:PORT."),
        Rule(
            "gateway.no-such-path", .refusal(404), .ours, "The path does not exist, or the id in it is unknown.",
            "Check the spelling of the path and of any id in it."),
        Rule(
            "gateway.wrong-method", .refusal(405), .ours, "The path exists, but not for this method.",
            "Use a method that the allow field of the answer names."),
        Rule(
            "gateway.conflict", .refusal(409), .ours,
            "A control API call does not fit the current state: a limit is reached, a device already exists or lacks the token, or a push cannot be exported in that form.",
            "Read the message in the answer. If a limit is reached, delete something first or wait."),
        Rule(
            "gateway.disk", .refusal(503), .ours, "With --data: the disk cannot store pushes, so no push is accepted.",
            "Free space on the disk of --data, or correct its permissions. The gateway then continues without a restart."
        ),
        Rule(
            "gateway.body-too-long", .refusal(413), .ours, "The body is longer than this path of Pushpit accepts.",
            "Shorten the body. For the control API and Pushpit's own pages it may have at most 65,536 bytes."),
        Rule(
            "gateway.no-upgrade", .refusal(426), .ours,
            "A request for the device socket is not a WebSocket upgrade, or asks for an unsupported WebSocket version.",
            "Open /devices/socket as a WebSocket over HTTP/1.1, with Sec-WebSocket-Version 13."),
        Rule(
            "gateway.not-there-yet", .refusal(501), .ours,
            "The method is unknown, or a socket was requested over HTTP/2.",
            "Use HTTP/1.1 for sockets, and a common method."),
        Rule(
            "http2.after-goaway", .event, .observed, observed: "2026-04",
            "A request came on a connection that a fault's GOAWAY has left open. Its stream gets REFUSED_STREAM.",
            "Open a new connection after a GOAWAY, and send the request there."),
        Rule(
            "http2.header-too-large", .refusal(431), .ours,
            "The header fields of an HTTP/2 request exceed 8,000 bytes in total. Its stream is reset, or it gets 431.",
            "Send fewer or shorter fields: at most 8,000 bytes in total, counting 32 extra for each field."),
    ]
}

extension Refusal {
    fileprivate var rule: Rule { Rule(id, .refusal(status), .ours, meaning, remedy) }
}
