/// Whether an expectation is met, and why not.
extension Expectation {
    /// Whether there are more matches than the expectation allows.
    package var isExceeded: Bool {
        switch demand {
        case .exactly(let limit), .atMost(let limit): count > limit
        case .atLeast: false
        }
    }

    /// The verdict so far; nil if it depends on later events, or on the time running out.
    package var verdict: Verdict? {
        switch demand {
        case .exactly(let wanted): count == wanted ? .met : count > wanted ? .failed : nil
        case .atLeast(let wanted): count >= wanted ? .met : nil
        case .atMost(let limit): count > limit ? .failed : nil
        }
    }

    /// The verdict when the time is up.
    package var lastVerdict: Verdict {
        if case .atMost(let limit) = demand, count <= limit { return .met }
        return verdict ?? .failed
    }

    /// In a sequence, the index of the first filter that nothing has matched; nil if nothing is missing.
    package var missing: Int? { isSequence && count < filters.count ? count : nil }

    /// One sentence about an expectation that is not met.
    package var whyNotMet: String {
        if isSequence { return whyIncomplete }
        let noun = filters[0].isAboutEvents ? "event" : "push"
        let found = count == 1 ? "1 \(noun) matches" : "\(count) \(noun == "push" ? "pushes" : "events") match"
        switch demand {
        case .exactly(let wanted): return "\(found), but exactly \(wanted) \(Self.were(wanted)) expected."
        case .atLeast(let wanted): return "\(found), but at least \(wanted) \(Self.were(wanted)) expected."
        case .atMost(0): return "\(found), but none was expected."
        case .atMost(let limit): return "\(found), but at most \(limit) \(Self.were(limit)) expected."
        }
    }

    private var whyIncomplete: String {
        let noun = filter.isAboutEvents ? "event" : "push"
        let place = tally.events.last.map { " after event \($0)" } ?? ""
        return "Number \(count &+ 1) of the sequence of \(filters.count) is missing: no \(noun)\(place) matches it."
    }

    private static func were(_ number: Int) -> String { number == 1 ? "was" : "were" }
}
