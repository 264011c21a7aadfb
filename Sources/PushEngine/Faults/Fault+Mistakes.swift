internal import APNs
internal import FCM
internal import JSON
internal import PushCore

/// Mistakes in a new fault, because of which it could never hit. Saved faults are not checked: an earlier version may
/// have accepted them.
extension Fault {
    static func refuseMistakes(in json: JSONView) throws(ControlProblem) {
        if json["nth"]?.isNull == false, json["every"]?.isNull == false {
            throw .bad("'nth' cannot be combined with 'every', because 'nth' hits one request only.", at: "/nth")
        }
        guard let reason = json["match"]?["reason"]?.string, !reasons.contains(reason) else { return }
        let guess = ControlProblem.guess(reason, reasons).map { " \($0)" } ?? ""
        throw .bad(
            "No request has the reason \(reason.quoted).\(guess) Use 'accepted', one of Apple's reasons such as BadDeviceToken, "
                + "or one of FCM's error codes such as UNREGISTERED.", at: "/match/reason")
    }

    private static let reasons: [String] =
        ["accepted"] + APNsReason.allCases.map(\.word) + FCMPolicy.errorCodes.sorted()
}
