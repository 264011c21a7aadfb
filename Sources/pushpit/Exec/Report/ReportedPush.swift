internal import Gateway
internal import JSON
internal import PushCore
internal import PushEngine
internal import RuleTables

/// A push in a report for people.
struct ReportedPush {
    private let message: JSONView

    /// - Parameter message: as `GET /messages` shows it.
    init(_ message: JSONView) { self.message = message }

    /// The push in one line, and for a refused one what is wrong and what to do about it.
    var lines: [String] {
        let facts = [fact("id"), fact("provider"), fact("app"), title, fact("outcome"), fact("status"), fact("reason")]
        return [facts.compactMap(\.self).joined(separator: " ")] + problem.map { "  \($0)" }
    }

    var isRefused: Bool { fact("outcome") == "refused" }

    private func fact(_ name: String) -> String? {
        message[name].flatMap { $0.string ?? $0.exactInteger.map(String.init) }
    }

    private var title: String? {
        guard let body = message["request"]?["body"], let provider = fact("provider").flatMap(Provider.init(rawValue:))
        else { return nil }
        return Message.title(of: body, provider).map { "\"\($0)\"" }
    }

    private var problem: [String] {
        guard isRefused, let why = fact("why") else { return [] }
        let rule = RuleBook.rule(why)
        let finding = message["findings"]?.elements.first { $0["severity"]?.string == "error" }
        return [
            (finding?["message"]?.string ?? rule?.meaning).map { "error: \($0)" }, rule.map { "fix: \($0.remedy)" },
        ]
        .compactMap(\.self)
    }
}
