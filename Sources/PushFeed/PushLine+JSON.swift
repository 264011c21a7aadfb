internal import Devices
internal import HTTPCore
package import JSON
internal import PushCore
internal import PushEngine

/// The layout for programs: the members that a log line about a push has besides time, level and message.
extension PushLine {
    /// `accepted` or `refused`.
    package var outcome: String { message.event.kind.rawValue }

    /// - Parameter isShort: whether to leave out the members whose length the sender decides.
    package func write(to json: inout JSONWriter, isShort: Bool, _ explanations: Explanations) {
        let (event, record) = (message.event, message.record)
        json.member("id", record.id.description)
        if let rule = event.why, !isAccepted || fault != nil { json.member("rule", rule.description) }
        json.member("status", record.status)
        if let reason = record.reason { json.member("reason", reason.kept) }
        json.member("provider", record.provider.rawValue)
        json.member("app", event.app)
        if let device { json.member("device", device) }
        if isForNewDevice { json.member("isNewDevice", true) }
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
        if let refusal = refusal(explanations) { json.member("because", refusal.because.kept) }
        if laterTime != nil { return }
        json.member("findings", record.findings.filter { $0.severity != .note })
    }
}

extension String {
    /// At most 300 characters.
    fileprivate var kept: String { String(prefix(300)) }
}
