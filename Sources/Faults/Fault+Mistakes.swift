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
        try refuseLongDelays(in: json["effect"])
        guard let reason = json["match"]?["reason"]?.string, !reasons.contains(reason) else { return }
        let guess = ControlProblem.guess(reason, reasons).map { " \($0)" } ?? ""
        throw .bad(
            "No request has the reason \(reason.quoted).\(guess) Use 'accepted', one of Apple's reasons such as BadDeviceToken, "
                + "or one of FCM's error codes such as UNREGISTERED.", at: "/match/reason")
    }

    private static func refuseLongDelays(in effect: JSONView?) throws(ControlProblem) {
        guard let effect else { return }
        if effect.kind == .object { try refuseLongDelay(in: effect, at: "/effect") }
        for (index, one) in effect.elements.enumerated() { try refuseLongDelay(in: one, at: "/effect/\(index)") }
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
}
