internal import JSON
internal import PushCore

/// Guesses at unknown names of effects.
extension FaultEffect {
    private static let nearKinds = NameGuesser(kindNames, minLength: 4)
    private static let nearNames = NameGuesser(NamedFault.allCases.map(\.rawValue))

    /// Why a value is not one effect.
    static func unreadable(_ json: JSONView, at pointer: String) -> ControlProblem {
        let names = json.members.map(\.key.shortened)
        if names.count > 1, names.allSatisfy({ Kind(rawValue: $0) != nil }) {
            let list = names.map { "{\"\($0)\":…}" }.joined(separator: ",")
            return .bad(
                "An effect must have exactly one member. For several effects, use a list: [\(list)].", at: pointer)
        }
        let wrong = json.string.map { _ in json.shortened } ?? names.first { Kind(rawValue: $0) == nil }
        let culprit = wrong.map { "\($0.quoted) is not an effect. \(hint($0))" } ?? ""
        return .bad(
            "\(culprit)An effect must be an object with exactly one member, which is one of "
                + "\(kindNames.joined(separator: ", ")).", at: pointer)
    }

    /// What an unknown name of an effect probably means; empty if it resembles no name.
    static func hint(_ name: String) -> String {
        if let wire = NamedFault(rawValue: name)?.rawValue ?? nearNames.guess(name) {
            return "Did you mean {\"wire\":\"\(wire)\"}? "
        }
        return (Kind(rawValue: name)?.rawValue ?? nearKinds.guess(name)).map { "Did you mean {\"\($0)\":…}? " } ?? ""
    }
}
