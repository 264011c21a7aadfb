internal import JSON
package import PushCore

/// The result of checking a message without sending it.
package struct MessageReport {
    package struct Entry: Sendable {
        package let finding: Finding
        package let isRefusal: Bool
        /// The offset in the body of the value that the finding is about.
        package let offset: Int
        /// What would be right, if the rule's remedy is too general.
        package let remedy: String?
    }

    package private(set) var entries: [Entry] = []

    package var isRefused: Bool { entries.contains(where: \.isRefusal) }

    /// - Parameter body: a complete request for `messages:send`.
    package init(_ body: [UInt8], isStrict: Bool) {
        // Only the parser knows the offset of a JSON fault, so the body is parsed here and again in `GoogleBody`.
        let offset: Int
        do throws(JSONError) {
            offset =
                try JSONDocument(parsing: body, limits: JSONLimits(maximumDepth: 100), dialect: .google)
                .unrepresentableValue?.offset
                ?? 0
        } catch { offset = min(error.offset, body.count) }
        do throws(GoogleError) {
            let document = try GoogleBody.parse(body)
            check(document, isStrict: isStrict)
            add(Self.duplicates(in: document), document)
        } catch {
            refuse(error, nil, offset)
        }
    }

    private mutating func check(_ document: JSONDocument, isStrict: Bool) {
        let conversion = ProtoCheck(document, as: .sendMessageRequest)
        guard let root = conversion.view else {
            refuse(.conversion(conversion.violations), document.root, 0)
            return add(conversion.suggestions, document)
        }
        guard let message = root.message(.message) else { return refuse(.noTarget, document.root, 0) }
        var validation = FCMValidation(message, FCMPolicy(isStrict: isStrict))
        do throws(GoogleError) { try Self.checkShape(of: try validation.check()) } catch {
            refuse(error, document.root, 0)
        }
        add(validation.findings, document)
        if !isRefused, let empty = Self.emptiness(of: message) { add([empty], document) }
    }

    private static let maximumDuplicates = 20

    /// The findings about repeated keys.
    private static func duplicates(in document: JSONDocument) -> [Finding] {
        document.duplicateKeys(maximum: maximumDuplicates).map { path in
            Finding(
                "payload.duplicate-key", .warning, at: path.description,
                "The key '\((path.tokens.last ?? "").prefix(40))' is in its object more than once. Pushpit uses the last value."
            )
        }
    }

    /// The offset in a request's body of the value that a finding is about; 0 if the body is not JSON.
    package static func offset(of finding: Finding, in body: [UInt8]) -> Int {
        guard let root = (try? GoogleBody.parse(body))?.root, let pointer = JSONPointer(finding.path) else { return 0 }
        return find(pointer.tokens, in: root)?.range.lowerBound ?? 0
    }

    private mutating func add(_ findings: [Finding], _ document: JSONDocument) {
        for finding in findings {
            let place = JSONPointer(finding.path).flatMap { Self.find($0.tokens, in: document.root) }
            entries.append(Entry(finding: finding, isRefusal: false, offset: place?.range.lowerBound ?? 0, remedy: nil))
        }
    }

    /// Checks the syntax of a token, which is all that is possible without a registry of devices.
    private static func checkShape(of target: FCMTarget) throws(GoogleError) {
        guard case .token(let token) = target, FCMMagicToken.error(token) == nil else { return }
        if !FCMSyntax.isToken(token), !FCMSyntax.isInstallationID(token) { throw .malformed(token) }
    }

    /// The field to report for errors in which Google names only the message.
    static let fieldByRule = ["fcm.topic-name": "topic", "fcm.condition": "condition"]

    /// Adds an entry for each violation, or a single one if the error lists none.
    private mutating func refuse(_ error: GoogleError, _ root: JSONView?, _ offset: Int) {
        var violations: [GoogleError.Violation] = []
        for case .badRequest(let some) in error.details { violations += some }
        if violations.isEmpty { violations = [GoogleError.Violation(field: nil, description: error.message)] }
        for violation in violations {
            var names = (violation.field ?? "").split(separator: ".").map(String.init)
            if let name = Self.fieldByRule[error.rule.description] { names = ["message", name] }
            let found = violation.offset ?? root.flatMap { Self.find(names, in: $0) }?.range.lowerBound
            let isGeneral = violation.description == GoogleError.badArgument
            let meaning = error.meaning ?? (isGeneral ? FCMRules.all.first { $0.id == error.rule }?.meaning : nil)
            entries.append(
                Entry(
                    finding: Finding(
                        error.rule.description, .error, at: "/" + names.joined(separator: "/"),
                        meaning ?? violation.description),
                    isRefusal: true, offset: found ?? offset, remedy: violation.remedy))
        }
    }

    private static func camel(_ name: String) -> String {
        FCMField.allCases.first { $0.snake == name }?.camel ?? name
    }

    /// The innermost value on a path of field names, in snake case or camel case.
    private static func find(_ path: [String], in root: JSONView) -> JSONView? {
        var view = root
        for name in path {
            guard let next = view[name] ?? view[Self.camel(name)] else { return view }
            view = next
        }
        return view
    }
}
