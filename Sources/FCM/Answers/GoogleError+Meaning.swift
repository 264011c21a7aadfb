internal import PushCore

/// What exactly is wrong with a message, in Pushpit's words.
extension GoogleError {
    /// The same answer with a sentence that names the wrong value. The log adds the remedy of the rule.
    func with(meaning: String) -> GoogleError {
        var error = self
        error.meaning = meaning
        error.hint = FCMRules.all.first { $0.id == rule }.map { "\(meaning) \($0.remedy)" }
        return error
    }

    /// The meaning as a finding at the wrong value; nil if the error has no meaning. The gateway's list of received
    /// messages shows it.
    var finding: Finding? {
        guard let meaning else { return nil }
        var names: [String]?
        for case .badRequest(let violations) in details where names == nil {
            names = violations.first?.field?.split(separator: ".").map(String.init)
        }
        if let name = MessageReport.fieldByRule[rule.description] { names = ["message", name] }
        return Finding(rule.description, .error, at: "/" + (names ?? ["message"]).joined(separator: "/"), meaning)
    }

    /// - Parameter owner: the project that the token was made for.
    static func senderMismatch(_ owner: String, _ sender: String) -> GoogleError {
        var error = senderMismatch
        error.meaning =
            "The token was made for the project \(owner.quoted), and the message was sent in \(sender.quoted)."
        return error
    }
}
