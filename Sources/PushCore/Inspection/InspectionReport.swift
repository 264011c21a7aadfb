package import JSON

/// What `pushpit doctor` and `POST /api/v1/inspect` say about one key, token, account or payload. It contains no secret.
package struct InspectionReport: Sendable, Equatable {
    package struct Problem: Sendable, Equatable {
        /// The id of the rule, such as `jwt.expired`.
        package let rule: String
        package let severity: Finding.Severity
        package let message: String
        package let remedy: String

        package init(rule: String, severity: Finding.Severity, message: String, remedy: String) {
            self.rule = rule
            self.severity = severity
            self.message = message
            self.remedy = remedy
        }
    }

    /// What a vendor's service would answer, and how that is known.
    package struct Answer: Sendable, Equatable {
        /// `APNs`, `FCM`, or the name of another service.
        package let service: String
        package let text: String
        package let evidence: Rule.Evidence

        package init(_ service: String, _ text: String, _ evidence: Rule.Evidence) {
            self.service = service
            self.text = text
            self.evidence = evidence
        }
    }

    /// A word such as `provider-token`.
    package let kind: String
    /// The kind in words.
    package let title: String
    /// Facts such as dates, ids and fingerprints.
    package var facts: [String]
    package var problems: [Problem]
    package var answers: [Answer]

    package init(kind: String, title: String, facts: [String], problems: [Problem], answers: [Answer]) {
        self.kind = kind
        self.title = title
        self.facts = facts
        self.problems = problems
        self.answers = answers
    }

    package var hasErrors: Bool { problems.contains { $0.severity == .error } }
}

extension InspectionReport: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { writeMembers(to: &$0) }
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("kind", kind)
        json.member("title", title)
        json.member("facts", facts)
        json.key("problems")
        json.array { json in
            for problem in problems {
                json.object { json in
                    json.member("severity", problem.severity.rawValue)
                    json.member("message", problem.message)
                    json.member("remedy", problem.remedy)
                    json.member("rule", problem.rule)
                }
            }
        }
        json.key("answers")
        json.array { json in
            for answer in answers {
                json.object { json in
                    json.member("service", answer.service)
                    json.member("answer", answer.text)
                    json.member("evidence", answer.evidence.rawValue)
                }
            }
        }
    }
}
