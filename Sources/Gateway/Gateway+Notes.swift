internal import APNs
internal import Devices
internal import FCM
internal import Faults
internal import HTTPCore
internal import JSON
internal import Platform
internal import PushCore
internal import PushEngine
internal import PushFeed
internal import RuleTables

/// The fields of a log line about a request, in addition to its method and path.
struct RequestNote {
    var status: Int?
    var rule: RuleID?
    var because: String?
    /// The answer to a push. The line gets the ids in it.
    var answer: Response?
}

/// Log lines about requests.
extension Gateway {
    /// Notes Apple's decision on a push. A decision that a fault has replaced is not noted: the fault has its own line.
    func note(_ decision: PushEngine.Decision, on request: Request) {
        let fault = decision.fault
        if fault?.plan.overrides == true { return }
        if let refusal = decision.refusal {
            let status = visibleStatus(refusal.reason.status, .apns, fault, on: request.stream)
            note(
                .info, "refused", request,
                RequestNote(
                    status: status, rule: refusal.rule, because: refusal.sentence, answer: decision.response))
        } else if log.isOn(.debug) {
            let status = visibleStatus(decision.response.status, .apns, fault, on: request.stream)
            note(.debug, "accepted", request, RequestNote(status: status, answer: decision.response))
        }
        noteFindings(decision.findings, of: request, excluding: decision.refusal?.rule, in: decision.response)
    }

    /// The same for Google's answer.
    func note(_ answer: borrowing GoogleAnswer, _ fault: Fault?, to request: Request) {
        if fault?.plan.overrides == true { return }
        if let rule = answer.rule {
            guard log.isOn(.info) else { return }
            let meaning = answer.because == nil ? RuleBook.rule(rule.description)?.meaning : nil
            let status = visibleStatus(answer.response.status, .fcm, fault, on: request.stream)
            note(
                .info, "refused", request,
                RequestNote(status: status, rule: rule, because: answer.because ?? meaning))
        } else if log.isOn(.debug) {
            let status = visibleStatus(answer.response.status, .fcm, fault, on: request.stream)
            note(.debug, "accepted", request, RequestNote(status: status, answer: answer.response))
        }
        noteFindings(answer.findings, of: request, excluding: answer.rule, in: answer.response)
    }

    /// The status that the client saw, as in the journal: 0 if the fault sent no answer.
    func visibleStatus(_ status: Int, _ provider: Provider, _ fault: Fault?, on stream: StreamID) -> Int {
        fault?.plan.visibleAnswer((status, nil), provider, on: stream).status ?? status
    }

    func noteFault(_ fault: Fault, _ provider: Provider, _ request: Request, _ answer: Response) {
        note(
            .info, "fault", request,
            RequestNote(
                status: fault.plan.answer?.form(for: provider).status, rule: fault.rule,
                because: "the fault \(fault.id) was set through the control API", answer: answer))
    }

    /// - Parameters:
    ///   - refused: the rule of the refusal, which is logged already. Its finding is left out.
    ///   - answer: the answer to the push, whose ids the lines get.
    func noteFindings(_ findings: [Finding], of request: Request, excluding refused: RuleID?, in answer: Response) {
        var refused = refused
        for finding in findings {
            if finding.rule == refused {
                refused = nil
                continue
            }
            note(
                finding.severity == .note ? .debug : .info, "finding", request,
                RequestNote(rule: finding.rule, because: finding.message, answer: answer))
        }
    }

    /// Writes a log line about a request.
    func note(_ level: Log.Level, _ word: String, _ request: Request, _ note: RequestNote) {
        guard log.isOn(level) else { return }
        let ids = note.answer.map { AnsweredIDs(in: $0) }
        log(
            level, word, at: clock.now,
            [
                "rule": note.rule?.description, "status": note.status,
                "method": request.method.rawValue, "path": String(decoding: request.path, as: UTF8.self),
                "apnsId": ids?.apnsID, "apnsUniqueId": ids?.apnsUniqueID, "name": ids?.name,
                "because": note.because.map(withClock),
            ])
    }

    /// Notes a refusal by one of Pushpit's own pages, in the words of its answer.
    func noteRefusal(_ rule: RuleID, _ response: Response, to request: Request) {
        guard log.isOn(.info) else { return }
        let because = Self.sentence(in: response) ?? RuleBook.rule(rule.description)?.meaning
        note(.info, "refused", request, RequestNote(status: response.status, rule: rule, because: because))
    }

    /// The sentence in an error of the control API or in a page of plain text; nil if the answer has neither.
    private static func sentence(in response: Response) -> String? {
        guard case .bytes(let body) = response.body, !body.isEmpty else { return nil }
        if let root = (try? JSONDocument(parsing: body))?.root { return root["error"]?["message"]?.string }
        return String(decoding: body, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }

    /// Writes the lines about pushes and what phones did with them. Called after the work of a turn.
    func logPushes() {
        guard feed.hasNews else { return }
        let (colors, isDebug) = (Colors(isOn: log.isColored), log.isOn(.debug))
        let explanations = PushLine.Explanations(explain: { RuleBook.rule($0.description) }, amend: withClock)
        for line in feed.lines(box.engine, at: loopNow) {
            log.line(.info, line.outcome, at: line.time) {
                line.text(colors, showsNotes: isDebug, explanations)
            } members: {
                line.write(to: &$0, isShort: $1, explanations)
            }
        }
    }

    /// Writes a line about the second that has passed, if there were too many pushes for a line each.
    func logSummary(isEnd: Bool = false) {
        guard let summary = feed.summary(box.engine, at: loopNow, isEnd: isEnd) else { return }
        log.line(.info, "pushes", at: clock.now) {
            summary.text(at: clock.now)
        } members: { json, _ in
            summary.write(to: &json)
        }
    }

    /// If a reason mentions the gateway's clock, appends how a test has changed that clock. Other reasons are returned
    /// unchanged.
    private func withClock(_ because: String) -> String {
        guard because.includes("gateway's clock"), let changes = clock.changes else { return because }
        let start = because.hasSuffix(".") ? because.dropLast() : because[...]
        return "\(start); \(changes), and POST /api/v1/clock undoes that."
    }

    /// Counts and logs a message that could not be parsed as a request.
    func refusedMessage(_ rule: String, _ status: Int?) {
        box.engine.metrics.malformed += 1
        let meaning = RuleBook.rule(rule)?.meaning
        log(.info, "refused", at: clock.now, ["rule": rule, "status": status, "because": meaning])
    }
}
