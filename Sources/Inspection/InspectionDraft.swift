internal import PushCore

/// A report that is being written.
struct InspectionDraft {
    var kind: InspectedKind
    private(set) var facts: [String] = []
    private var problems: [InspectionReport.Problem] = []
    private var answers: [InspectionReport.Answer] = []
    /// What can be compared with other inputs.
    var links = InspectedLinks()

    init(_ kind: InspectedKind = .unknown) { self.kind = kind }

    /// Adds a fact. Text from the input must not contain secrets.
    mutating func note(_ fact: String) { facts.append(fact.onOneLine) }

    /// Adds a finding and what the service would answer. Each `{}` in the rule's message stands for one of the values.
    mutating func add(_ rule: some InspectionRule, _ values: String...) {
        let row = rule.row
        problems.append(row.problem(rule.rawValue, values))
        if let answer = row.answer { self.answer(answer) }
    }

    mutating func add(_ problem: InspectionReport.Problem) { problems.append(problem) }

    mutating func answer(_ answer: InspectionReport.Answer) {
        if !answers.contains(answer) { answers.append(answer) }
    }

    var hasErrors: Bool { problems.contains { $0.severity == .error } }

    var report: InspectionReport {
        InspectionReport(
            kind: kind.rawValue, title: kind.title, facts: facts,
            problems: [problems.filter { $0.severity == .error }, problems.filter { $0.severity != .error }].flatMap(
                \.self),
            answers: answers)
    }
}
