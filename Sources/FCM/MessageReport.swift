internal import JSON
package import PushCore

/// What is said of a message without sending it.
package struct MessageReport {
    package struct Entry: Sendable {
        package let finding: Finding
        package let isRefusal: Bool
        /// Where in the body it is.
        package let offset: Int
    }

    package private(set) var entries: [Entry] = []

    package var isRefused: Bool { entries.contains(where: \.isRefusal) }

    /// - Parameter body: a whole request for `messages:send`.
    package init(_ body: [UInt8], isStrict: Bool) {
        do throws(JSONError) {
            read(try JSONDocument(parsing: body, limits: JSONLimits(maximumDepth: 100), dialect: .google), isStrict: isStrict)
        } catch {
            refuse(.notJSON(GoogleJSONFault.text(error, in: body)), nil, min(error.offset, body.count))
        }
    }

    private mutating func read(_ document: JSONDocument, isStrict: Bool) {
        let violations = ProtoCheck(document, as: .sendMessageRequest).violations
        if !violations.isEmpty { return refuse(.conversion(violations), document.root, 0) }
        let root = ProtoView(document.root, as: .sendMessageRequest)
        guard let message = root.message("message", as: .message) else { return refuse(.noTarget, document.root, 0) }
        var validation = FCMValidation(message, FCMPolicy(isStrict: isStrict))
        do throws(GoogleError) { _ = try validation.check() } catch { refuse(error, document.root, 0) }
        for finding in validation.findings {
            let place = JSONPointer(finding.path).flatMap { Self.find($0.tokens, in: document.root) }
            entries.append(Entry(finding: finding, isRefusal: false, offset: place?.range.lowerBound ?? 0))
        }
    }

    /// One entry a violation, or one for all.
    private mutating func refuse(_ error: GoogleError, _ root: JSONView?, _ offset: Int) {
        var violations: [GoogleError.Violation] = []
        for case .badRequest(let some) in error.details { violations += some }
        if violations.isEmpty { violations = [GoogleError.Violation(field: nil, description: error.message)] }
        for violation in violations {
            let names = (violation.field ?? "").split(separator: ".").map(String.init)
            let found = violation.offset ?? root.flatMap { Self.find(names, in: $0) }?.range.lowerBound
            entries.append(
                Entry(
                    finding: Finding(error.rule.description, .error, at: "/" + names.joined(separator: "/"), violation.description),
                    isRefusal: true, offset: found ?? offset))
        }
    }

    /// The innermost value that a path of fields leads to, by either of their names.
    private static func find(_ path: [String], in root: JSONView) -> JSONView? {
        var view = root
        for name in path {
            guard let next = view[name] ?? view[ProtoField(name, .string).camel] else { return view }
            view = next
        }
        return view
    }
}
