internal import Devices
internal import PushCore
internal import PushEngine

/// The layout for people: columns for time, id, service, app, device and title, then the verdict and what is wrong.
extension PushLine {
    /// - Parameter showsNotes: also quote findings that are only notes.
    package func text(_ colors: Colors, showsNotes: Bool = false, _ explanations: Explanations) -> String {
        let head = [
            colors.faint(time.clockTime),
            message.record.id.description.padded(to: 5), Self.names[message.record.provider] ?? "",
            message.event.app.onOneLine.keepingEnd(of: 26).padded(to: 15),
            shownTarget.onOneLine.keepingStart(of: 22).padded(to: 12), shownTitle.padded(to: 24),
        ]
        let remarks = remarks(showsNotes: showsNotes, explanations).map { " | \(colors.warning($0.word)): \($0.text)" }
        return (head + [verdict(colors)]).joined(separator: " ") + reason(explanations) + remarks.joined()
    }

    private static let names: [Provider: String] = [.apns: "APNs", .fcm: "FCM ", .webpush: "Web "]

    /// The device, or what else the push was sent to.
    private var shownTarget: String {
        if let device { return deviceName.isEmpty ? device : "\(device) \(deviceName)" }
        guard let target = message.facts.target else { return "-" }
        switch target {
        case .token(let text), .fid(let text): return text.keepingStart(of: 10)
        case .topic, .condition, .channel: return "\(target.name) \(target.text)"
        }
    }

    private var shownTitle: String {
        if let title = message.title { return "\"\(title.onOneLine.keepingStart(of: 30))\"" }
        if message.isSealed { return "(encrypted)" }
        return message.facts.pushType.map { "(\($0.onOneLine.keepingStart(of: 20)))" } ?? "(no text)"
    }

    private func verdict(_ colors: Colors) -> String {
        let status = message.record.status
        var words = status == 0 ? ["no answer"] : ["\(status)"]
        if let reason = message.record.reason { words.append(reason.onOneLine.keepingStart(of: 60)) }
        if !did.isEmpty { words.append(did) }
        if isForNewDevice { words.append("(new device; see --unknown-devices)") }
        if let fault { words.append("(fault \(fault.onOneLine))") }
        let text = words.joined(separator: " ")
        if !isAccepted || !(200..<300).contains(status) { return colors.bad(text) }
        return reports.contains { $0.obstacle != nil } ? colors.warning(text) : colors.good(text)
    }

    /// Why the push was refused, and what to do about it; empty if it was accepted.
    private func reason(_ explanations: Explanations) -> String {
        guard let refusal = refusal(explanations) else { return "" }
        let isNamed = message.record.reason.map { refusal.rule.description.hasSuffix(".\($0)") } ?? false
        return ": " + Self.quote(refusal.because, isNamed ? nil : refusal.rule, refusal.remedy)
    }

    /// The other problems, each with what to do about it.
    private func remarks(showsNotes: Bool, _ explanations: Explanations) -> [(word: String, text: String)] {
        var remarks: [(word: String, text: String)] = []
        if let missing = missingImage {
            remarks.append(("no image", Self.quote(missing.reason, RuleID(missing.rule), missing.remedy)))
        }
        if laterTime != nil { return remarks }
        let quoted = refusal(explanations)?.finding
        let others = message.record.findings.enumerated().filter { index, finding in
            (showsNotes || finding.severity != .note) && index != quoted
        }.map(\.element)
        for finding in others.prefix(Self.maxFindings) {
            let word = finding.severity == .note ? "note" : "warning"
            remarks.append(
                (word, Self.quote(finding.message, finding.rule, explanations.explain(finding.rule)?.remedy)))
        }
        if others.count > Self.maxFindings {
            let more = others.count &- Self.maxFindings
            remarks.append(
                ("\(more) more finding\(more == 1 ? "" : "s")", "see /api/v1/messages/\(message.record.id)"))
        }
        return remarks
    }

    private static let maxFindings = 3
    /// How many characters of a finding are quoted.
    private static let longestQuote = 300

    private static func quote(_ text: String, _ rule: RuleID?, _ remedy: String?) -> String {
        let text = text.onOneLine.keepingStart(of: longestQuote)
        let quote = rule.map { "\(text) [\($0)]" } ?? text
        return remedy.map { "\(quote) fix: \($0.onOneLine.keepingStart(of: longestQuote))" } ?? quote
    }
}

extension Timestamp {
    /// Hours, minutes and seconds in UTC.
    var clockTime: Substring { description.dropFirst(11).prefix(8) }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width &- count))
    }

    /// At most `count` characters, the first ones.
    fileprivate func keepingStart(of count: Int) -> String {
        let start = prefix(count)
        return start.endIndex == endIndex ? self : prefix(count &- 1) + "…"
    }

    /// At most `count` characters, the last ones: an app's name differs at its end.
    fileprivate func keepingEnd(of count: Int) -> String {
        let end = suffix(count)
        return end.startIndex == startIndex ? self : "…" + suffix(count &- 1)
    }
}
