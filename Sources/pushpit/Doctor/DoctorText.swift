internal import Inspection
internal import PushCore

/// The text of `pushpit doctor` for people: one block for each input.
enum DoctorText {
    static func text(_ input: Inspected) -> String {
        let report = input.report
        var lines = [input.label == "the \(report.title)" ? report.title : "\(input.label): \(report.title)"]
        for fact in report.facts { lines.append("  \(fact)") }
        for problem in report.problems {
            lines.append("  \(problem.severity.rawValue): \(problem.message) [\(problem.rule)]")
            if !problem.remedy.isEmpty { lines.append("    fix: \(problem.remedy)") }
        }
        if report.problems.isEmpty { lines.append("  no problems found") }
        for answer in report.answers {
            lines.append("  \(answer.service) would answer: \(answer.text) (\(answer.evidence.rawValue))")
        }
        return lines.asLines
    }
}
