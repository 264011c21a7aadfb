package import PushCore

/// All rules of this dialect, for `pushpit rules` and the documentation.
package enum APNsRules {
    package static let all: [Rule] =
        APNsReason.rows.map(\.rule) + PayloadRule.rows.map(\.rule) + ExpirationMistake.rules + others

    private static let others = [
        MisspelledField.rule,
        Rule(
            "auth.unknown-key", .finding(.note), .ours,
            "Pushpit does not know the key id, so it did not check the signature. Apple would check it.",
            "Name the key with --apns-key FILE:KEYID:TEAMID, so that its signature is checked. --auth strict refuses unknown keys."
        ),
        Rule(
            "apns.needs-http2", .refusal(505), .ours,
            "A push arrived over HTTP/1.1. APNs needs HTTP/2.",
            "Send the push over HTTP/2: with curl, add --http2, or --http2-prior-knowledge without TLS."),
    ]
}
