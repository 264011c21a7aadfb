internal import Devices
package import PushCore
internal import PushEngine

/// Everything that a log line says about one push.
package struct PushLine {
    let message: Message
    /// The device, if there is only one.
    var device: String?
    /// The name that the device was given, or else its platform.
    var deviceName = ""
    var deviceCount = 0
    /// What the first of the devices did.
    var reports: [DeviceReport] = []
    /// Whether the push has made its device, because the token was unknown.
    var isForNewDevice = false
    /// The fault that hit the push.
    var fault: String?

    /// Whether a device still has something to do with the push.
    var isWorking = false
    /// If this is the second line about the push: when its device finished. This line does not repeat the findings.
    var laterTime: Timestamp?

    package var time: Timestamp { laterTime ?? message.event.time }

    init(_ message: Message) { self.message = message }

    var isAccepted: Bool { message.event.kind == .accepted }

    /// Why it was refused; nil if it was accepted, or refused by a fault.
    func refusal(_ explanations: Explanations) -> Refusal? {
        guard !isAccepted, let why = message.event.why, !why.description.hasPrefix("fault.") else { return nil }
        let findings = message.record.findings
        let index =
            findings.firstIndex { $0.rule == Finding.magicToken }
            ?? findings.firstIndex { $0.rule == why && $0.severity == .error }
            ?? findings.firstIndex { $0.rule == why }
        let row = explanations.explain(why)
        let because = index.map { findings[$0].message } ?? row?.meaning ?? ""
        return Refusal(rule: why, because: explanations.amend(because), remedy: row?.remedy, finding: index)
    }

    struct Refusal {
        let rule: RuleID
        let because: String
        let remedy: String?
        /// The index of the finding that says why.
        let finding: Int?
    }

    /// How the gateway explains rules.
    package struct Explanations {
        /// Returns the row of a rule.
        let explain: (RuleID) -> Rule?
        /// Adds how a test has changed the gateway's clock to a reason that mentions it.
        let amend: (String) -> String

        package init(explain: @escaping (RuleID) -> Rule?, amend: @escaping (String) -> String) {
            self.explain = explain
            self.amend = amend
        }
    }

    /// What the devices did with the push, in a few words; empty if nothing is known.
    var did: String {
        guard deviceCount != 1 else {
            let did = reports.first?.did ?? ""
            return isWorking && did == "delivered" ? "the image is still loading" : did
        }
        guard isAccepted, deviceCount > 0 else { return "" }
        var counts: [(word: String, count: Int)] = []
        for report in reports {
            let word = String(report.did.prefix { $0 != ":" })
            if let index = counts.firstIndex(where: { $0.word == word }) {
                counts[index].count += 1
            } else if !word.isEmpty {
                counts.append((word, 1))
            }
        }
        let tally = counts.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
        let isPartial = deviceCount > reports.count
        return
            "\(deviceCount) devices\(tally.isEmpty ? "" : isPartial ? "; of the first \(reports.count), \(tally)" : ": \(tally)")"
    }

    /// Why a device shows no image. If there are several devices, the first that shows none.
    var missingImage: MissingImage? { reports.lazy.compactMap(\.missingImage).first }
}
