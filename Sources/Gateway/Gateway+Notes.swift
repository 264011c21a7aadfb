internal import FCM
internal import HTTPCore
internal import Platform
internal import PushCore
internal import PushEngine

/// Log lines about requests.
extension Gateway {
    func note(_ answer: borrowing GoogleAnswer, to request: Request) {
        if let rule = answer.rule {
            note(.info, "refused", request, answer.response.status, rule, because: answer.because)
        } else if log.isOn(.debug) {
            note(.debug, "accepted", request, answer.response.status)
        }
        noteFindings(answer.findings, of: request)
    }

    func noteFault(_ fault: Fault, _ request: Request) {
        note(
            .info, "fault", request, fault.plan.answer?.status, fault.rule,
            because: "\(fault.id) was set through the control API")
    }

    func noteFindings(_ findings: [Finding], of request: Request) {
        for finding in findings {
            note(
                finding.severity == .note ? .debug : .info, "finding", request, nil, finding.rule,
                because: finding.message)
        }
    }

    /// Writes a log line about a request.
    func note(
        _ level: Log.Level, _ word: String, _ request: Request, _ status: Int?, _ rule: RuleID? = nil,
        because sentence: String? = nil
    ) {
        guard log.isOn(level) else { return }
        log(
            level, word, at: clock.now,
            [
                "rule": rule?.description, "status": status.map(String.init), "method": request.method.rawValue,
                "path": String(decoding: request.path, as: UTF8.self), "because": sentence,
            ])
    }

    /// Counts and logs a message that could not be parsed as a request.
    func refusedMessage(_ rule: String, _ status: Int?) {
        engine.metrics.malformed += 1
        log(.info, "refused", at: clock.now, ["rule": rule, "status": status.map(String.init)])
    }
}
