internal import APNs
internal import FCM
internal import JSON
internal import PushCore

/// Mistakes in a new fault. Saved faults are not checked: an earlier version may have accepted them.
extension Fault {
    static func refuseMistakes(in json: JSONView) throws(ControlProblem) {
        if json["nth"]?.isNull == false, json["every"]?.isNull == false {
            throw .bad("'nth' cannot be combined with 'every', because 'nth' hits one request only.", at: "/nth")
        }
        try refuseMistakes(inEffect: json["effect"])
        guard let reason = json["match"]?["reason"]?.string, !reasons.contains(reason) else { return }
        let guess = ControlProblem.guess(reason, reasons).map { " \($0)" } ?? ""
        throw .bad(
            "No request has the reason \(reason.quoted).\(guess) Use 'accepted', one of Apple's reasons such as BadDeviceToken, "
                + "or one of FCM's error codes such as UNREGISTERED.", at: "/match/reason")
    }

    private static func refuseMistakes(inEffect effect: JSONView?) throws(ControlProblem) {
        guard let effect else { return }
        let isList = effect.kind != .object
        for (index, one) in (isList ? Array(effect.elements) : [effect]).enumerated() {
            let pointer = isList ? "/effect/\(index)" : "/effect"
            try refuseLongDelay(in: one, at: pointer)
            try refuseMisspelledReason(in: one, at: pointer)
        }
    }

    /// Refuses a reason that resembles a known one. Others may be meant: a service can get new reasons.
    private static func refuseMisspelledReason(in effect: JSONView, at pointer: String) throws(ControlProblem) {
        guard let reason = effect["answer"]?["reason"]?.string, !answers.contains(reason),
            let guess = ControlProblem.guess(reason, answers)
        else { return }
        throw .bad(
            "No service answers with the reason \(reason.quoted). \(guess) An answer of your own can be given with 'body'.",
            at: "\(pointer)/answer/reason")
    }

    private static func refuseLongDelay(in effect: JSONView, at pointer: String) throws(ControlProblem) {
        for name in ["delay", "deliverAfter", "acceptDelay"] {
            guard let delay = effect[name] else { continue }
            let parts =
                [delay, delay["median"]].compactMap(\.self) + (delay["uniform"].map { Array($0.elements) } ?? [])
            for text in parts.compactMap(\.string)
            where DurationText.milliseconds(text) ?? 0 > FaultEffect.Delay.longest {
                throw .bad("'\(name)' must be at most 720h; it is \(text.quoted).", at: "\(pointer)/\(name)")
            }
        }
    }

    private static let reasons: [String] =
        ["accepted"] + APNsReason.allCases.map(\.word) + FCMPolicy.errorCodes.sorted()

    /// What a fault may answer: also the names of all of Google's statuses, as google.rpc.Code lists them.
    package static let answers: [String] =
        Array(reasons.dropFirst()) + [
            "ABORTED", "CANCELLED", "DATA_LOSS", "DEADLINE_EXCEEDED", "FAILED_PRECONDITION", "OUT_OF_RANGE",
            "UNIMPLEMENTED", "UNKNOWN",
        ]
}
