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
    /// What the devices did, for the first of them.
    var reports: [DeviceReport] = []
    /// The fault that hit the push.
    var fault: String?

    package var time: Timestamp { message.event.time }

    init(_ message: Message) { self.message = message }

    var isAccepted: Bool { message.event.kind == .accepted }

    /// Why it was refused; nil if it was accepted, or refused by a fault.
    func refusal(_ explain: (RuleID) -> Rule?) -> (rule: RuleID, because: String, remedy: String?)? {
        guard !isAccepted, let why = message.event.why, !why.description.hasPrefix("fault.") else { return nil }
        let findings = message.record.findings
        let own = findings.filter { $0.rule == why }
        let finding =
            findings.first { $0.rule == Finding.magicToken } ?? own.first { $0.severity == .error } ?? own.first
        let row = explain(why)
        return (why, finding?.message ?? row?.meaning ?? "", row?.remedy)
    }

    /// What the devices did with it, in a few words; empty if nothing is known.
    var did: String {
        guard deviceCount != 1 else { return reports.first?.did ?? "" }
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
        return "\(deviceCount) devices\(tally.isEmpty ? "" : isPartial ? "; of the first \(reports.count), \(tally)" : ": \(tally)")"
    }

    /// Why a device shows no image. If there are several devices, the first that shows none.
    var missingImage: MissingImage? { reports.lazy.compactMap(\.missingImage).first }
}
