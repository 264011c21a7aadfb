package import PushCore

/// Says what a key, token, account or payload is, what is wrong with it, and what the real service would answer.
///
/// Pure: no files and no clock. The bytes may come from anyone; every part has a limit.
package enum Inspector {
    package static func inspect(_ input: InspectionInput, at now: Timestamp) -> Inspected {
        let inspection = GradualInspection(input)
        while true {
            if let inspected = inspection.advance(at: now) { return inspected }
        }
    }

    static func inspect(_ input: InspectionInput, _ opener: FileOpener, at now: Timestamp) -> Inspected {
        var draft = InspectionDraft()
        inspect(input, opener, at: now, &draft)
        return Inspected(
            label: input.name ?? "the \(draft.kind.title)", report: draft.report, kind: draft.kind, links: draft.links)
    }

    private static func inspect(
        _ input: InspectionInput, _ opener: FileOpener, at now: Timestamp, _ draft: inout InspectionDraft
    ) {
        guard input.bytes.count <= InspectionInput.maximumBytes else { return draft.add(TextRule.tooLarge) }
        if input.bytes.starts(with: [0xFF, 0xFE]) || input.bytes.starts(with: [0xFE, 0xFF]) {
            return draft.add(TextRule.utf16)
        }
        let hasMark = input.bytes.starts(with: [0xEF, 0xBB, 0xBF])
        if hasMark { draft.add(TextRule.byteOrderMark) }
        let subject = Subject(hasMark ? Array(input.bytes.dropFirst(3)) : input.bytes, input, opener, at: now)
        guard let row = Recognizer.table.first(where: { $0.matches(subject) }) else {
            return draft.add(TextRule.unknown)
        }
        row.inspect(subject, &draft)
    }
}
