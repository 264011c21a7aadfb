package import JSON
package import PushCore

/// How many pushes came in a second. It replaces the lines of these pushes.
package struct PushSummary: Equatable {
    let milliseconds: UInt64
    let accepted: Int
    let refused: Int
    let refusals: [RuleID: Int]

    var total: Int { accepted &+ refused }

    /// The rules that refused most, at most three.
    private var mainRefusals: [(rule: RuleID, count: Int)] {
        let sorted = refusals.sorted { ($1.value, $0.key.description) < ($0.value, $1.key.description) }
        return sorted.prefix(3).map { ($0.key, $0.value) }
    }

    package func text(at time: Timestamp) -> String {
        let seconds = "\(milliseconds / 1000).\(milliseconds / 100 % 10) s"
        var text =
            "\(time.clockTime) \(total) push\(total == 1 ? "" : "es") in \(seconds): \(accepted) accepted, \(refused) refused"
        let main = mainRefusals.map { "\($0.rule) \($0.count)" }
        if !main.isEmpty { text += " (\(main.joined(separator: ", ")))" }
        return text
    }

    package func write(to json: inout JSONWriter) {
        json.member("milliseconds", milliseconds)
        json.member("accepted", accepted)
        json.member("refused", refused)
        json.key("refusals")
        json.object { json in for (rule, count) in mainRefusals { json.member(rule.description, count) } }
    }
}
