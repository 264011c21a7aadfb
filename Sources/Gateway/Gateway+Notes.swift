internal import Devices
internal import FCM
internal import HTTPCore
internal import Platform
internal import PushCore
internal import PushEngine

/// The fields of a log line about a request, in addition to its method and path.
struct RequestNote {
    var status: Int?
    var rule: RuleID?
    var because: String?
}

/// Log lines about requests.
extension Gateway {
    func note(_ answer: borrowing GoogleAnswer, to request: Request) {
        if let rule = answer.rule {
            note(
                .info, "refused", request,
                RequestNote(status: answer.response.status, rule: rule, because: answer.because))
        } else if log.isOn(.debug) {
            note(.debug, "accepted", request, RequestNote(status: answer.response.status))
        }
        noteFindings(answer.findings, of: request, besides: answer.rule)
    }

    func noteFault(_ fault: Fault, _ provider: Provider, _ request: Request) {
        note(
            .info, "fault", request,
            RequestNote(
                status: fault.plan.answer?.form(for: provider).status, rule: fault.rule,
                because: "\(fault.id) was set through the control API"))
    }

    /// - Parameter refused: the rule of the refusal, which is logged already. Its finding is left out.
    func noteFindings(_ findings: [Finding], of request: Request, besides refused: RuleID?) {
        var refused = refused
        for finding in findings {
            if finding.rule == refused {
                refused = nil
                continue
            }
            note(
                finding.severity == .note ? .debug : .info, "finding", request,
                RequestNote(rule: finding.rule, because: finding.message))
        }
    }

    /// Logs the devices that the last request has created by naming unknown tokens.
    func noteNewDevices() {
        if box.engine.unannounced.isEmpty { return }
        for device in box.engine.unannounced {
            guard let slot = box.engine.devices.slot(of: device) else { continue }
            log(
                .info, "device made", at: clock.now,
                [
                    "device": box.engine.devices.id(at: slot).description,
                    "platform": box.engine.devices.platform(at: slot).rawValue,
                    "app": box.engine.devices.app(at: slot),
                    "because": "a push named an unknown token; --unknown-devices reject refuses such pushes",
                ])
        }
        box.engine.unannounced.removeAll(keepingCapacity: true)
    }

    /// Writes a log line about a request.
    func note(_ level: Log.Level, _ word: String, _ request: Request, _ note: RequestNote) {
        guard log.isOn(level) else { return }
        log(
            level, word, at: clock.now,
            [
                "rule": note.rule?.description, "status": note.status,
                "method": request.method.rawValue, "path": String(decoding: request.path, as: UTF8.self),
                "because": note.because,
            ])
    }

    /// Counts and logs a message that could not be parsed as a request.
    func refusedMessage(_ rule: String, _ status: Int?) {
        box.engine.metrics.malformed += 1
        log(.info, "refused", at: clock.now, ["rule": rule, "status": status])
    }
}
