internal import HTTPCore
internal import PushCore

/// Header fields whose names resemble one that Apple reads. Apple ignores them, as it ignores all unknown fields.
enum MisspelledField {
    private static let names = NameGuesser(
        APNsField.allCases.map { String(decoding: $0.name.bytes, as: UTF8.self) }.filter { $0.hasPrefix(prefix) }
            + ["apns-channel-id", "apns-request-id", "apns-unique-id"])
    private static let prefix = "apns-"
    private static let maxFindings = 20

    static func findings(in headers: HeaderBlock) -> [Finding] {
        var findings: [Finding] = []
        for (name, _) in headers where findings.count < maxFindings {
            let name = String(decoding: name, as: UTF8.self)
            guard name.hasPrefix(prefix), let guess = names.guess(name) else { continue }
            findings.append(
                Finding(
                    rule.id.description, .warning, at: "headers/\(name)",
                    "Did you mean '\(guess)'? Apple ignores the field \(name.quoted)."))
        }
        return findings
    }

    static let rule = Rule(
        "apns.misspelled-field", .finding(.warning), .ours,
        "The name of a header field resembles one that Apple reads. Apple ignores the field.",
        "Use the spelling that the finding suggests.")
}
