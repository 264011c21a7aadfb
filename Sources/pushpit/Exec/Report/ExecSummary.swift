internal import JSON
internal import PushCore

/// The last line of `exec`: how many pushes it caught, and what was wrong with them.
struct ExecSummary {
    let accepted, refused: Int64
    /// Where to see details, as the subject of a sentence ("--log-level info"); nil if they were printed already.
    let detailSource: String?
    var newestRefusal: JSONView?
    /// How many pushes were deleted meanwhile, by calls of the control API.
    var deleted: Int64 = 0
    /// Each remark, and how many pushes or images it is about.
    var remarks: [(remark: Remark, count: Int64)] = []

    init(accepted: Int64, refused: Int64, detailSource: String?) {
        (self.accepted, self.refused, self.detailSource) = (accepted, refused, detailSource)
    }

    /// What the status of a push does not show.
    enum Remark: CaseIterable {
        case missingImage, dropped, uncheckedCredentials

        /// The members of a filter that finds these pushes or events.
        var filter: String {
            switch self {
            case .missingImage: #""event":{"kind":"attachment","dataText":{"/outcome":{"regex":"^(failed|skipped)$"}}}"#
            case .dropped: #""event":{"kind":"dropped"}"#
            case .uncheckedCredentials: #""outcome":"accepted","rule":{"regex":"^auth[.]unknown-"}"#
            }
        }

        func text(_ count: Int64) -> String {
            let isOne = count == 1
            return switch self {
            case .missingImage: isOne ? "1 image was not shown." : "\(count) images were not shown."
            case .dropped:
                isOne ? "1 push was accepted and then dropped." : "\(count) pushes were accepted and then dropped."
            case .uncheckedCredentials:
                (isOne ? "1 push was sent" : "\(count) pushes were sent")
                    + " with a key or token that the gateway does not know; --auth strict refuses that."
            }
        }
    }

    var text: String {
        let (count, overflows) = accepted.addingReportingOverflow(refused)
        if count == 0 || overflows {
            return "pushpit: No push was caught."
                + (detailSource.map { " \($0) shows other requests and connections." } ?? "")
        }
        let caught = count == 1 ? "1 push was caught" : "\(count) pushes were caught"
        var sentences = ["\(caught)\(refusals(of: count))."]
        sentences.append(contentsOf: remarks.filter { $0.count > 0 }.map { $0.remark.text($0.count) })
        if let detailSource, refused > 0 || sentences.count > 1 { sentences.append("\(detailSource) shows each.") }
        if let deletion { sentences.append(deletion) }
        return "pushpit: \(sentences.joined(separator: " "))"
    }

    private func refusals(of count: Int64) -> String {
        if refused == 0 { return "" }
        let share = count == 1 ? "and" : refused == count ? "all of them" : "\(refused) of them"
        return ", \(share) refused" + (cause.map { " (the last: \($0))" } ?? "")
    }

    private var deletion: String? {
        guard deleted > 0 else { return nil }
        let subject = deleted == 1 ? "1 push was" : "\(deleted) pushes were"
        return "Meanwhile, \(subject) deleted (POST /reset, DELETE /messages), so no expectation could see "
            + (deleted == 1 ? "it." : "them.")
    }

    /// Why the newest refused push was refused.
    private var cause: String? {
        guard let newestRefusal else { return nil }
        let status = newestRefusal["status"]?.exactInteger.map(String.init)
        let facts = [newestRefusal["provider"]?.string, status, newestRefusal["reason"]?.string].compactMap(\.self)
        let error = newestRefusal["findings"]?.elements.first { $0["severity"]?.string == "error" }
        let answer = facts.joined(separator: " ")
        let parts = [answer, error?["message"]?.string].compactMap(\.self).filter { !$0.isEmpty }
        return parts.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.joined(separator: ": ").onOneLine
    }
}
