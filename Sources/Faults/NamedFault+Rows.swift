internal import FCM
internal import HTTPCore
internal import PushCore

/// The effects, evidence, meaning and remedy of each named fault.
extension NamedFault {
    /// A switch, so that the compiler reports a case without a row.
    var row: Row {
        switch self {
        case .goawayShutdown:
            row(
                [goAway("{\"reason\":\"Shutdown\"}", .before)], .observed,
                "A GOAWAY says Shutdown. The request and all newer ones get no answer.",
                "Remove the fault with DELETE /api/v1/faults, then reconnect and resend what has no answer.")
        case .goawayKeptOpen:
            row(
                [.goAway(.init(code: .noError, debug: "{\"reason\":\"Shutdown\"}", keepsOpen: true))], .observed,
                observed: "2026-04",
                "A GOAWAY says Shutdown after the answer, but the connection stays open. Newer streams are refused.",
                "Remove the fault with DELETE /api/v1/faults, and make the client reconnect after a GOAWAY.")
        case .goawayIdle:
            row(
                [goAway("{\"reason\":\"IdleTimeout\"}", .request)], .documented,
                "A GOAWAY says IdleTimeout. It comes after an answer or, if the fault has 'idle', on an idle connection.",
                "Remove the fault with DELETE /api/v1/faults, then open a new connection.")
        case .goawayCert:
            row(
                [
                    .goAway(
                        .init(
                            code: .noError, debug: "{\"reason\":\"BadCertificateEnvironment\"}", last: .none, times: 2))
                ], .observed, observed: "2016",
                "Two GOAWAYs arrive, and the first says BadCertificateEnvironment. No request is served.",
                "Remove the fault with DELETE /api/v1/faults, then reconnect. The certificate is not at fault.")
        case .goawayPlainText:
            row(
                [
                    .goAway(
                        .init(
                            code: .refusedStream, debug: "Maximum active streams violated for this endpoint.",
                            last: .before))
                ], .observed, observed: "2016", "A GOAWAY arrives with REFUSED_STREAM and a sentence that is not JSON.",
                "Remove the fault with DELETE /api/v1/faults, and make the client accept debug data that is not JSON.")
        case .resetConnection:
            row(
                [.close(.reset)], .observed, observed: "2026-04", "The TCP connection is reset without a GOAWAY.",
                "Remove the fault with DELETE /api/v1/faults, then reconnect and resend what has no answer.")
        case .blackHole:
            row(
                [.blackHole], .observed, "The connection stays open but is dead. Not even a PING is answered.",
                "Remove the fault with DELETE /api/v1/faults, and drop a connection that does not answer a PING.")
        case .silentAfterExpired:
            row(
                [.silence], .assumed,
                "No answer is sent. To silence only expired provider tokens, set 'reason' in 'match' to ExpiredProviderToken.",
                "Remove the fault with DELETE /api/v1/faults, or renew the provider token before it expires.")
        case .wedged500:
            row(
                [answer(500, "InternalServerError"), .sticky], .observed, observed: "2016",
                "This request and all later ones on the connection get 500.",
                "Remove the fault with DELETE /api/v1/faults, or open a new connection.")
        case .stickyTokenUpdates:
            row(
                [answer(429, "TooManyProviderTokenUpdates"), .sticky], .observed,
                "Requests get 429 TooManyProviderTokenUpdates until the client reconnects.",
                "Open a new connection, or remove the fault with DELETE /api/v1/faults.")
        case .refusedStream:
            row(
                [.reset([.refusedStream, .streamClosed])], .observed, observed: "2017",
                "The stream is reset with REFUSED_STREAM, then with STREAM_CLOSED. Set 'nth' to hit only one request.",
                "Send the push again on a new stream, or remove the fault with DELETE /api/v1/faults.")
        case .streamLimitDrop:
            row(
                [.streamLimit(1)], .observed, observed: "2016",
                "SETTINGS lower the stream limit to 1 before the answer.",
                "Obey the new SETTINGS with one stream at a time, or remove the fault with DELETE /api/v1/faults.")
        case .shutdown503:
            row(
                [answer(503, "Shutdown")], .documented,
                "The answer is 503 Shutdown, as if the server were about to stop.",
                "Remove the fault with DELETE /api/v1/faults, then reconnect and send again.")
        case .serviceUnavailable503:
            row(
                [answer(503, "ServiceUnavailable")], .documented,
                "The answer is 503 ServiceUnavailable. To simulate a rate limit, set 'after', and set 'per' to 'token'.",
                "Remove the fault with DELETE /api/v1/faults, then send again.")
        case .internalServerError500:
            row(
                [answer(500, "InternalServerError")], .documented,
                "The answer is 500 InternalServerError.",
                "Remove the fault with DELETE /api/v1/faults, then send again.")
        case .tooManyRequests429:
            row(
                [answer(429, "TooManyRequests")], .documented,
                "The answer is 429 TooManyRequests. To simulate a rate limit, set 'after', and set 'per' to 'token'.",
                "Remove the fault with DELETE /api/v1/faults, or narrow it with match.token.")
        case .slowResponse:
            row(
                [.streamLimit(1), .delay(.fixed(700_000))], .observed, observed: "2020",
                "The answer takes 700 s, and the stream limit is 1.",
                "Remove the fault with DELETE /api/v1/faults, and give the client a timeout.")
        case .lostResponse:
            row(
                [.deliver(1), .reset([.internalError])], .assumed,
                "The push is delivered, but the stream is reset with INTERNAL_ERROR.",
                "Remove the fault with DELETE /api/v1/faults, and reuse the apns-id when you send again.")
        case .duplicateDelivery:
            row(
                [.deliver(1), .reset([.refusedStream])], .observed,
                "The push is delivered, but the stream is reset with REFUSED_STREAM, so the client sends it again.",
                "Remove the fault with DELETE /api/v1/faults, and set apns-collapse-id so that a repeat shows once.")
        case .fuzzy410:
            row(
                [
                    .answer(
                        .init(status: 410, reason: "Unregistered").orForGoogle(
                            .init(status: 404, reason: "UNREGISTERED")))
                ],
                .observed,
                "The answer is 410 Unregistered, or 404 UNREGISTERED for an FCM message. Set 'probability' to hit only some pushes. --unregister-delay and --unregister-pushes are about apps that are really uninstalled.",
                "Remove the fault with DELETE /api/v1/faults, or lower its probability.")
        case .badJSONBody:
            row(
                [
                    .answer(
                        .init(status: 400, body: Array("{\"reason\":\"Bad".utf8)).orForGoogle(
                            .init(
                                status: 400, body: Array("{\n  \"error\": {\n    \"code\": 400,\n    \"mess".utf8),
                                contentType: "application/json; charset=UTF-8")))
                ], .assumed, "The answer is 400 with half a JSON body.",
                "Remove the fault with DELETE /api/v1/faults, and make the client survive a broken body.")
        case .htmlBody:
            row(
                [
                    .answer(
                        .init(
                            status: 502, body: Array("<html><body><h1>502 Bad Gateway</h1></body></html>".utf8),
                            contentType: "text/html"
                        ).orForGoogle(.init(status: 502, recorded: RecordedAnswer.named("html-502"))))
                ], .assumed,
                "The answer is 502 with an HTML page.",
                "Remove the fault with DELETE /api/v1/faults, and make the client go by the status alone.")
        case .emptyErrorBody:
            row(
                [.answer(.init(status: 500))], .assumed, "The answer is 500 without a body.",
                "Remove the fault with DELETE /api/v1/faults, and make the client work without a reason.")
        case .tlsHandshakeFail:
            row(
                [.tls(.alert)], .assumed, "A fatal alert replaces the TLS handshake.",
                "Remove the fault with DELETE /api/v1/faults, then connect again.")
        case .certRotation:
            row(
                [.tls(.untrusted)], .assumed,
                "The certificate is from a certificate authority that the client does not know.",
                "Remove the fault with DELETE /api/v1/faults. Never turn off certificate checks because of it.")
        case .slowAccept:
            row(
                [.acceptDelay(.fixed(5000))], .assumed, "A new connection is silent for 5 s before it starts.",
                "Remove the fault with DELETE /api/v1/faults, and give the client a timeout for connecting.")
        case .tooManyConnections:
            row(
                [.connectionLimit(1)], .assumed, "A new connection is reset if another connection is already open.",
                "Remove the fault with DELETE /api/v1/faults, and make the client use the connection that it has.")
        case .noStreams:
            row(
                [.firstStreamLimit(0)], .assumed,
                "The first SETTINGS of a new connection allow no stream. When the fault has ended, SETTINGS with the usual limit follow.",
                "Remove the fault with DELETE /api/v1/faults, and make the client wait for the next SETTINGS.")
        }
    }

    private func row(
        _ effects: [FaultEffect], _ evidence: Rule.Evidence, observed: String? = nil, _ meaning: String,
        _ remedy: String
    ) -> Row {
        Row(
            effects: effects,
            rule: Rule("fault.\(rawValue)", .fault, evidence, observed: observed, meaning, remedy))
    }

    private func goAway(_ debug: String, _ last: FaultEffect.GoAway.Last) -> FaultEffect {
        .goAway(.init(code: .noError, debug: debug, last: last))
    }

    private func answer(_ status: Int, _ reason: String) -> FaultEffect {
        .answer(.init(status: status, reason: reason))
    }
}
