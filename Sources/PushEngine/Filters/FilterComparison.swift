internal import JSON
internal import Patterns
internal import PushCore

/// The comparison of a filter with a push or an event. One that takes long, because the filter has regular expressions,
/// can be done in portions.
struct FilterComparison {
    let subject: FilterSubject
    /// Whether to check all conditions even if one has failed.
    private let findsAll: Bool
    /// The condition that is checked next.
    private var condition = 0
    /// The texts that this condition is about, and the index of the one that is compared next.
    private var texts: FilterSubject.Texts?
    private var index = 0
    private var comparison = TextComparison()
    /// The indices of the conditions that have failed.
    private var failed: [Int] = []

    /// The number of steps in a portion. They take well below a tenth of a millisecond.
    static let portion = 4000

    init(_ subject: FilterSubject, findsAll: Bool = false) {
        self.subject = subject
        self.findsAll = findsAll
    }

    /// Continues the comparison. Returns whether the subject matches, or nil if `steps` ran out before that is known. Then
    /// call it again with the same filter.
    mutating func advance(_ filter: MessageFilter, steps: inout Int) -> Bool? {
        if !findsAll, !filter.isWithin(subject.event) { return false }
        while condition < filter.conditions.count {
            guard let holds = check(filter.conditions[condition], &steps) else { return nil }
            if !holds {
                if !findsAll { return false }
                failed.append(condition)
            }
            condition += 1
            (texts, index, comparison) = (nil, 0, TextComparison())
        }
        return failed.isEmpty && filter.isWithin(subject.event)
    }

    private mutating func check(_ condition: MessageFilter.Condition, _ steps: inout Int) -> Bool? {
        switch condition.wanted {
        case .values(let wanted):
            steps &-= 1
            return subject.value(at: condition.place).map(wanted.contains) ?? false
        case .text(let test):
            let texts = texts ?? subject.texts(at: condition.place)
            self.texts = texts
            while index < texts.count {
                guard steps > 0, let isWanted = comparison.advance(test, texts[index], steps: &steps) else {
                    return nil
                }
                if isWanted { return true }
                index += 1
                comparison = TextComparison()
            }
            return false
        }
    }

    /// All differences between the filter and the subject. Call it once `advance` has checked every condition.
    func differences(from filter: MessageFilter) -> [MessageFilter.Difference] {
        var found = filter.differences(inTimeOf: subject.event)
        for index in failed {
            let condition = filter.conditions[index]
            found.append(
                MessageFilter.Difference(
                    isOfEventKind: condition.place == .event(.kind), at: condition.place.name,
                    expected: condition.shown, got: subject.shown(at: condition.place)))
        }
        return found
    }
}

extension MessageFilter.Place {
    /// The name of the place in the member `differs` of an answer.
    var name: String {
        switch self {
        case .field(let field): field.rawValue
        case .header(let name): "headers/\(name)"
        case .body(let pointer): pointer.description
        case .event(let field): "event/\(field.rawValue)"
        case .eventData(let pointer): "event/data\(pointer)"
        }
    }
}
