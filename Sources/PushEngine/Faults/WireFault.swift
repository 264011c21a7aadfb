internal import HTTPCore
package import PushCore

/// The faults that were seen in the wild, by the names of facts/apns.md §9.
enum WireFault: String, Sendable, CaseIterable {
    case goawayShutdown, goawayIdle, goawayCert, goawayPlainText, resetConnection, blackHole, silentAfterExpired
    case wedged500, stickyTokenUpdates, refusedStream, streamLimitDrop
    case shutdown503 = "503Shutdown"
    case serviceUnavailable503 = "503ServiceUnavailable"
    case internalServerError500 = "500InternalServerError"
    case tooManyRequests429 = "429TooManyRequests"
    case slowResponse, lostResponse, duplicateDelivery
    case fuzzy410 = "410Fuzzy"
    case badJSONBody, htmlBody, emptyErrorBody, tlsHandshakeFail, certRotation

    var effects: [FaultEffect] {
        switch self {
        case .goawayShutdown: [goAway("{\"reason\":\"Shutdown\"}", .before)]
        case .goawayIdle: [goAway("{\"reason\":\"IdleTimeout\"}", .request)]
        case .goawayCert:
            [.goAway(.init(code: .noError, debug: "{\"reason\":\"BadCertificateEnvironment\"}", last: .none, times: 2))]
        case .goawayPlainText:
            [
                .goAway(
                    .init(
                        code: .refusedStream, debug: "Maximum active streams violated for this endpoint.", last: .before
                    ))
            ]
        case .resetConnection: [.close(.reset)]
        case .blackHole: [.blackHole]
        case .silentAfterExpired: [.silence]
        case .wedged500: [answer(500, "InternalServerError"), .sticky]
        case .stickyTokenUpdates: [answer(429, "TooManyProviderTokenUpdates"), .sticky]
        case .refusedStream: [.reset([.refusedStream, .streamClosed])]
        case .streamLimitDrop: [.streamLimit(1)]
        case .shutdown503: [answer(503, "Shutdown")]
        case .serviceUnavailable503: [answer(503, "ServiceUnavailable")]
        case .internalServerError500: [answer(500, "InternalServerError")]
        case .tooManyRequests429: [answer(429, "TooManyRequests")]
        case .slowResponse: [.streamLimit(1), .delay(.fixed(700_000))]
        case .lostResponse: [.deliver(1), .reset([.internalError])]
        case .duplicateDelivery: [.deliver(1), .reset([.refusedStream])]
        case .fuzzy410: [answer(410, "Unregistered")]
        case .badJSONBody: [body(400, "{\"reason\":\"Bad")]
        case .htmlBody: [body(502, "<html><body><h1>502 Bad Gateway</h1></body></html>", type: "text/html")]
        case .emptyErrorBody: [.answer(.init(status: 500))]
        case .tlsHandshakeFail: [.tls(.alert)]
        case .certRotation: [.tls(.rotated)]
        }
    }

    /// What happens, for people.
    var meaning: String {
        switch self {
        case .goawayShutdown: "GOAWAY says Shutdown; the request and all above it stay without an answer."
        case .goawayIdle:
            "GOAWAY says IdleTimeout: behind an answer, or with idle on a connection where nothing happens."
        case .goawayCert: "Two GOAWAYs, the first says BadCertificateEnvironment; nothing was served."
        case .goawayPlainText: "GOAWAY with REFUSED_STREAM and a sentence that is no JSON."
        case .resetConnection: "The TCP connection is reset without a GOAWAY."
        case .blackHole: "The connection stays open and is dead; not even a PING is answered."
        case .silentAfterExpired: "No answer; best with match.reason ExpiredProviderToken."
        case .wedged500: "500 for this request and all that follow on the connection."
        case .stickyTokenUpdates: "429 TooManyProviderTokenUpdates until the client connects anew."
        case .refusedStream: "RST_STREAM with REFUSED_STREAM, then with STREAM_CLOSED; best with nth."
        case .streamLimitDrop: "SETTINGS lower the stream limit to 1 before the answer."
        case .shutdown503, .serviceUnavailable503, .internalServerError500, .tooManyRequests429:
            "The answer is \(rawValue.prefix(3)) \(rawValue.dropFirst(3)); a rate is after with per token."
        case .slowResponse: "The answer takes 700 s, and the stream limit is 1."
        case .lostResponse: "The push is delivered, and the stream reset with INTERNAL_ERROR."
        case .duplicateDelivery:
            "The push is delivered, and the stream reset with REFUSED_STREAM: the client sends it again."
        case .fuzzy410: "410 Unregistered; best with probability. See also --unregister-delay and --unregister-pushes."
        case .badJSONBody: "400 with half a JSON body."
        case .htmlBody: "502 with a page of HTML."
        case .emptyErrorBody: "500 without a body."
        case .tlsHandshakeFail: "A fatal alert instead of a TLS handshake."
        case .certRotation: "A certificate by an authority that the client does not know."
        }
    }

    var evidence: Rule.Evidence {
        switch self {
        case .shutdown503, .serviceUnavailable503, .internalServerError500, .tooManyRequests429, .goawayIdle:
            .documented
        case .lostResponse, .silentAfterExpired, .tlsHandshakeFail, .certRotation, .badJSONBody, .htmlBody,
            .emptyErrorBody:
            .assumed
        default: .observed
        }
    }

    /// For `pushpit rules` and the documentation.
    var rule: Rule { Rule("fault.\(rawValue)", .fault, meaning, evidence) }

    private func goAway(_ debug: String, _ last: FaultEffect.GoAway.Last) -> FaultEffect {
        .goAway(.init(code: .noError, debug: debug, last: last))
    }

    private func answer(_ status: Int, _ reason: String) -> FaultEffect {
        .answer(.init(status: status, reason: reason))
    }

    private func body(_ status: Int, _ text: String, type: String? = nil) -> FaultEffect {
        .answer(.init(status: status, body: Array(text.utf8), contentType: type))
    }
}

/// All of them, for the table of rules.
package enum FaultRules {
    package static let all: [Rule] =
        WireFault.allCases.map(\.rule) + [
            Rule("fault.custom", .fault, "A fault hit that was made of effects, without a name of this table.", .ours)
        ]
}
