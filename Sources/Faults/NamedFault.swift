package import PushCore

/// Named faults of real services: observed, documented or assumed (docs/evidence/apns.md §9). `NamedFault+Rows.swift`
/// defines each of them.
package enum NamedFault: String, Sendable, CaseIterable {
    case goawayShutdown, goawayKeptOpen, goawayIdle, goawayCert, goawayPlainText, resetConnection, blackHole,
        silentAfterExpired
    case wedged500, stickyTokenUpdates, refusedStream, streamLimitDrop
    case shutdown503 = "503Shutdown"
    case serviceUnavailable503 = "503ServiceUnavailable"
    case internalServerError500 = "500InternalServerError"
    case tooManyRequests429 = "429TooManyRequests"
    case slowResponse, lostResponse, duplicateDelivery
    case fuzzy410 = "410Fuzzy"
    case badJSONBody, htmlBody, emptyErrorBody, tlsHandshakeFail, certRotation
    case slowAccept, tooManyConnections, noStreams

    struct Row {
        let effects: [FaultEffect]
        let rule: Rule
    }

    var effects: [FaultEffect] { row.effects }
}

/// The rules of all faults, for `pushpit rules` and the documentation.
package enum FaultRules {
    package static let all: [Rule] = NamedFault.allCases.map(\.row.rule) + [custom, magicToken]

    private static let custom = Rule(
        "fault.custom", .fault, .ours,
        "A fault set by the test took effect.",
        "Remove all faults with DELETE /api/v1/faults, or only this one with DELETE /api/v1/faults/ID.")
    private static let magicToken = Rule(
        Finding.magicToken.description, .fault, .ours, "The token of the push is one that asks for this answer.",
        "Send to another token. docs/faults.md lists these tokens.")
}
