package import HTTPCore
package import PushCore

extension FCMDialect {
    /// Why Apple refused the push that Google sent for a message.
    package struct AppleRefusal {
        let status: Int
        let reason: String
        let rule: RuleID
        /// The reason in plain words, for the log.
        let sentence: String
        /// The JSON pointer of the value that `strict` refuses; nil if Apple itself would refuse the push.
        let field: String?

        package init(status: Int, reason: String, rule: RuleID, sentence: String, field: String?) {
            self.status = status
            self.reason = reason
            self.rule = rule
            self.sentence = sentence
            self.field = field
        }

        /// Google's answer (docs/evidence/fcm.md §3.3).
        var error: GoogleError {
            if let field {
                let path = field.split(separator: "/").joined(separator: ".")
                return .media([GoogleError.Violation(field: path, description: sentence)], rule: rule.description)
            }
            return GoogleError.refusedByApple(status, reason).with(rule: rule, hint: sentence)
        }
    }
}

extension FCMDialect.Outcome {
    /// How to deliver the message, if it was accepted and goes to a single iPhone.
    package var deliveryToOneIPhone: FCMDelivery? {
        if let registration, registration.platform != .apple { return nil }
        guard let delivery, target?.single != nil, registration != nil || delivery.isForApple else { return nil }
        return delivery
    }

    /// Turns an acceptance into the answer that Google gives when Apple has refused the push.
    package mutating func refuse(_ refusal: FCMDialect.AppleRefusal, to request: Request) {
        let (error, findings) = (refusal.error, answer.findings)
        refuse(GoogleAnswer(error, to: request, GoogleQuery(request)), reason: error.errorCode)
        answer.findings = findings
    }
}
