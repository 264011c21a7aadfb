internal import PushCore

/// Guesses at unknown names of effects.
extension FaultEffect {
    private static let nearKinds = NearMiss(kindNames)
    private static let nearWires = NearMiss(WireFault.allCases.map(\.rawValue))

    /// What an unknown name of an effect probably means; empty if it resembles no name.
    static func hint(_ name: String) -> String {
        if let wire = WireFault(rawValue: name)?.rawValue ?? nearWires.guess(name) {
            return "Did you mean {\"wire\":\"\(wire)\"}? "
        }
        return (Kind(rawValue: name)?.rawValue ?? nearKinds.guess(name)).map { "Did you mean {\"\($0)\":…}? " } ?? ""
    }
}
