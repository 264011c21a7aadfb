internal import HTTPCore
internal import JSON
package import PushCore

/// What somebody expects of the pushes: so many that a filter means, or so many at most.
package struct Expectation {
    package enum Demand {
        /// Met when the n-th is there; more than that are a failure.
        case exactly(Int)
        case atLeast(Int)
        /// Decided at the first that is too many, or at the end.
        case atMost(Int)
    }

    package enum Verdict { case met, failed }

    package let filter: MessageFilter
    let demand: Demand
    /// Milliseconds; real ones, as somebody waits.
    package let within: UInt64
    /// The first of the pushes so far, and all of them.
    package private(set) var pushes: [PushID] = []
    private var counted: Set<PushID> = []
    package var count: Int { counted.count }

    private static let mostNamed = 1000

    package init(_ filter: MessageFilter, _ demand: Demand, within: UInt64) {
        self.filter = filter
        self.demand = demand
        self.within = within
    }

    /// A push counts once, however much is told of it.
    package mutating func note(_ push: PushID) {
        if counted.insert(push).inserted, pushes.count < Self.mostNamed { pushes.append(push) }
    }

    mutating func forget(_ gone: Set<PushID>) {
        pushes.removeAll(where: gone.contains)
        counted.subtract(gone)
    }

    /// Nil: more has to come, or time to pass.
    package var verdict: Verdict? {
        switch demand {
        case .exactly(let wanted): count == wanted ? .met : count > wanted ? .failed : nil
        case .atLeast(let wanted): count >= wanted ? .met : nil
        case .atMost(let limit): count > limit ? .failed : nil
        }
    }

    /// At the end of its time.
    package var lastVerdict: Verdict {
        if case .atMost(let limit) = demand, count <= limit { return .met }
        return verdict ?? .failed
    }
}

extension MessageFilter.Difference: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("at", at)
            json.member("expected", expected)
            json.member("got", got)
        }
    }
}
