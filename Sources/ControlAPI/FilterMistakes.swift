internal import APNs
internal import Faults
internal import JSON
internal import PushCore
internal import Receivers

/// Misspelled words in the filters of an expectation. Nothing would ever match them, so `never` would always be met.
struct FilterMistakes {
    /// The ids of all rules; nil if they are not known here.
    let rules: [String]?

    private static let pushTypes = APNsPushType.allCases.map(\.rawValue)
    private static let headers = [
        "apns-channel-id", "apns-collapse-id", "apns-expiration", "apns-id", "apns-priority", "apns-push-type",
        "apns-topic", "apns-unique-id", "authorization", "content-type",
    ]

    /// - Parameter body: that of `POST /expect`.
    func refuse(in body: JSONView) throws(ControlProblem) {
        if let match = body["match"] { try refuse(inFilter: match, at: "/match") }
        for (index, match) in (body["sequence"]?.elements.map(\.self) ?? []).enumerated() {
            try refuse(inFilter: match, at: "/sequence/\(index)")
        }
    }

    private static let reasons = Fault.answers + WebPush.reasonsOfApple

    private func refuse(inFilter match: JSONView, at pointer: String) throws(ControlProblem) {
        for name in ["device", "token"] where match[name]?.string?.isEmpty == true {
            throw .bad("'\(name)' must not be empty: is a variable not set?", at: "\(pointer)/\(name)")
        }
        try refuse(match["reason"], Self.reasons, "No push has the reason", at: "\(pointer)/reason")
        try refuse(match["pushType"], Self.pushTypes, "No push has the type", at: "\(pointer)/pushType")
        try refuseRule(match["rule"], at: "\(pointer)/rule")
        try refuseRule(match["event"]?["why"], at: "\(pointer)/event/why")
        for (name, _) in match["headers"]?.members.map(\.self) ?? [] {
            let text = name.shortened.lowercased()
            guard !Self.headers.contains(text), let guess = ControlProblem.guess(text, Self.headers) else { continue }
            throw .bad(
                "Apple does not read a header field \(text.quoted). \(guess) Pushes with such a mistake have a finding: match the rule 'apns.misspelled-field'.",
                at: "\(pointer)/headers\(FieldReader.escaped(name.shortened))")
        }
    }

    /// Refuses a text that resembles a known one. Any other unknown text is accepted, because it may be intended.
    private func refuse(
        _ text: JSONView?, _ known: [String], _ sentence: String, at pointer: String
    ) throws(ControlProblem) {
        guard let text = text?.string, !known.contains(text), let guess = ControlProblem.guess(text, known) else {
            return
        }
        throw .bad("\(sentence) \(text.quoted). \(guess)", at: pointer)
    }

    private func refuseRule(_ text: JSONView?, at pointer: String) throws(ControlProblem) {
        guard let rules, let id = text?.string, !rules.contains(id) else { return }
        let guess = ControlProblem.guess(id, rules).map { " \($0)" } ?? ""
        throw .bad("There is no rule \(id.quoted).\(guess) 'pushpit rules' lists them.", at: pointer)
    }
}
