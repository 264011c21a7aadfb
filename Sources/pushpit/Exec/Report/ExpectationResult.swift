internal import JSON

/// What the gateway says about an expectation of `--expect`.
struct ExpectationResult: JSONWritable {
    /// As the file has it.
    let expectation: JSONView
    /// Nil if it is met. The details say why it is not, and how the nearest pushes differ.
    let failure: ExitFailure?
    /// The gateway's answer.
    let answer: JSONView?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("met", failure == nil)
            json.member("expectation", expectation)
            if failure != nil { json.member("why", answer?["why"]?.string ?? failure?.message ?? "") }
            json.key("nearest")
            json.array { json in for miss in answer?["nearest"]?.elements.map(\.self) ?? [] { json.value(miss) } }
        }
    }

    /// The same, with the pushes that it names and what is wrong with them.
    ///
    /// - Parameters:
    ///   - find: a push as `GET /messages/{id}` shows it; nil if it was deleted.
    ///   - reports: what its devices did with it.
    func explained(
        _ find: (String) throws(ExitFailure) -> JSONView?, _ reports: (String) throws(ExitFailure) -> [JSONView]
    ) throws(ExitFailure) -> ExpectationResult {
        guard let failure else { return self }
        let matched = answer?["messages"]?.elements.compactMap { $0.string } ?? []
        let nearest = answer?["nearest"]?.elements.compactMap { $0["message"]?.string } ?? []
        var details = failure.details
        for id in Self.unique(matched.prefix(Self.mostExplained) + nearest) {
            if let push = try find(id).map(ReportedPush.init), push.isRefused || matched.contains(id) {
                details += push.lines
            }
        }
        // If events were expected, what the devices did says more.
        let isOfEvents = answer?["nearest"]?.elements.contains { $0["event"] != nil } ?? false
        for id in isOfEvents ? Self.unique(nearest) : [] {
            for report in try reports(id) {
                let device = report["device"]?.string ?? ""
                if let did = report["did"]?.string { details.append("\(id) on \(device): \(did)") }
                if let remedy = report["remedy"]?.string { details.append("  fix: \(remedy)") }
                guard let missing = report["missingImage"] else { continue }
                details.append("\(id) on \(device): no image: \(missing["reason"]?.string ?? "")")
                if let remedy = missing["remedy"]?.string { details.append("  fix: \(remedy)") }
            }
        }
        return ExpectationResult(
            expectation: expectation,
            failure: ExitFailure(code: failure.code, message: failure.message, details: details),
            answer: answer)
    }

    private static let mostExplained = 5

    private static func unique(_ ids: [String]) -> [String] {
        var known = Set<String>()
        return ids.filter { known.insert($0).inserted }
    }

    /// What the file calls it; nil without a name.
    var name: String? { expectation["name"]?.string }

    /// The expectation in one line, of at most this many characters.
    func label(_ maximum: Int) -> String {
        let text = String(decoding: expectation.source, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        return text.count <= maximum ? text : "\(text.prefix(maximum))…"
    }
}
