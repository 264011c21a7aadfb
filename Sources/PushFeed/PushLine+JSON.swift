internal import Devices
internal import HTTPCore
package import JSON
package import PushCore
internal import PushEngine

/// The layout for programs: the members beside those that every log line has.
extension PushLine {
    /// `accepted` or `refused`.
    package var word: String { message.event.kind.rawValue }

    /// - Parameters:
    ///   - isShort: leave out what others decide the length of.
    ///   - amend: adds to a reason that mentions the clock.
    ///   - explain: the row of a rule.
    package func write(
        to json: inout JSONWriter, isShort: Bool, amend: (String) -> String, explain: (RuleID) -> Rule?
    ) {
        let (event, record) = (message.event, message.record)
        json.member("id", record.id.description)
        if let rule = event.why, !isAccepted || fault != nil { json.member("rule", rule.description) }
        json.member("status", record.status)
        if let reason = record.reason { json.member("reason", reason.kept) }
        json.member("provider", record.provider.rawValue)
        json.member("app", event.app)
        if let device { json.member("device", device) }
        if deviceCount > 1 { json.member("devices", deviceCount) }
        if let fault { json.member("fault", fault) }
        if !did.isEmpty { json.member("did", did) }
        if isShort { return }
        if let target = message.facts.target { json.member(target.name, target.text.kept) }
        if let title = message.title { json.member("title", title.kept) }
        if let missing = missingImage {
            json.key("missingImage")
            json.value(missing)
        }
        json.member("method", message.request.method.rawValue)
        json.member("path", message.shownTarget.kept)
        message.ids.write(to: &json)
        if let because = refusal(explain)?.because { json.member("because", amend(because).kept) }
        json.member("findings", record.findings.filter { $0.severity != .note })
    }
}

extension String {
    /// At most 300 characters.
    fileprivate var kept: String { String(prefix(300)) }
}
