internal import APNs
internal import EventLoop
internal import FCM
internal import Gateway
internal import JSON
internal import PushCore

/// `pushpit check FILE…`: validates APNs payloads and FCM messages without sending them.
enum Check {
    /// The result for one file.
    struct Result {
        fileprivate(set) var lines = FindingLines()
        /// What to print.
        var text: String { lines.text }
        var isRefused = false
        /// The severities of all findings of the file.
        var severities: Set<Finding.Severity> = []

        /// Adds a line for a finding. If the push is not refused, an error is shown as a warning.
        fileprivate mutating func add(_ finding: Finding, isRefusal: Bool, at place: String, remedy: String? = nil) {
            severities.insert(finding.severity)
            let isOfAcceptedPush = !isRefused && finding.severity == .error
            let severity = isRefusal ? .error : isOfAcceptedPush ? .warning : finding.severity
            lines.add(severity.rawValue, finding.message, finding.rule, at: place, remedy: remedy)
        }

        func fails(on threshold: Threshold) -> Bool {
            switch threshold {
            case .refusal: isRefused
            case .warning: isRefused || !severities.isDisjoint(with: [.error, .warning])
            case .note: isRefused || !severities.isEmpty
            }
        }
    }

    /// The lowest severity that makes the command fail.
    enum Threshold: String, CaseIterable { case refusal, warning, note }

    static func run(_ options: Options) throws(ExitFailure) {
        guard !options.operands.isEmpty else {
            throw .usage("check needs at least one FILE, or - for standard input", .check)
        }
        let validation = try options.choice("validation", APNsPolicy.Validation.self)
        let type = try Send.type(options)
        let threshold = try options.choice("fail-on", Threshold.self)
        var (refused, failed, unreadable) = (0, 0, 0)
        for path in options.operands {
            let bytes: [UInt8]
            do throws(ExitFailure) { bytes = try Send.read(path) } catch {
                error.lines.forEach(printError)
                unreadable += 1
                continue
            }
            let now = Timestamp(milliseconds: EventLoop.wallClock)
            let result = check(bytes, path, type, validation, at: now)
            printOutput(result.text)
            if result.isRefused { refused += 1 }
            if result.fails(on: threshold) { failed += 1 }
        }
        let all = options.operands.count
        let missing = unreadable > 0 ? ", and \(unreadable) can't be read" : ""
        if refused > 0 { throw ExitFailure(code: 65, message: "\(refused) of \(all) would be refused\(missing)") }
        if failed > 0 {
            let least = threshold == .note ? "a note or a warning" : "a warning"
            throw ExitFailure(code: 65, message: "\(failed) of \(all) would be accepted with \(least)\(missing)")
        }
        if unreadable > 0 { throw ExitFailure(code: 66, message: "\(unreadable) of \(all) can't be read") }
    }

    /// - Parameter path: the file name to show at the start of each line.
    static func check(
        _ bytes: [UInt8], _ path: String, _ type: APNsPushType?, _ validation: APNsPolicy.Validation, at now: Timestamp
    ) -> Result {
        let file = MessageFile(bytes)
        var result =
            if let file {
                checkMessage(file, bytes, path, isStrict: validation == .strict, at: now)
            } else {
                checkPayload(bytes, path, type, validation)
            }
        let verdict = result.isRefused ? "refused" : "accepted"
        result.lines.add(line: "\(path): \(verdict)\(file?.shape == .legacy ? " as v1" : "")")
        return result
    }

    private static func checkPayload(
        _ body: [UInt8], _ path: String, _ type: APNsPushType?, _ validation: APNsPolicy.Validation
    ) -> Result {
        let report = PayloadReport(body, type: type, validation: validation)
        var result = Result(isRefused: report.refusal != nil)
        for finding in report.findings {
            result.add(finding, isRefusal: finding == report.refusal, at: location(of: finding, body, path))
        }
        return result
    }

    /// Checks an FCM message. A message in the legacy format is converted first, and the result is shown.
    private static func checkMessage(
        _ file: MessageFile, _ bytes: [UInt8], _ path: String, isStrict: Bool, at now: Timestamp
    ) -> Result {
        let report = MessageReport(file.body, isStrict: isStrict)
        let later = report.isRefused ? nil : LaterChecks(file, isStrict: isStrict, besides: report, at: now)
        var result = Result(isRefused: report.isRefused || later?.isRefused == true)
        if file.shape == .legacy {
            result.severities.insert(.warning)
            let root = (try? JSONDocument(parsing: bytes, dialect: .google))?.root
            result.lines.add(
                line: "\(path): warning: this message has the format of the API that Google discontinued in 2024; "
                    + "as a request for messages:send: [fcm.legacy-shape]")
            for line in file.body.split(separator: UInt8(ascii: "\n")) {
                result.lines.add(line: String(decoding: line, as: UTF8.self))
            }
            for change in file.changes {
                let view = JSONPointer(change.path).flatMap { root?[$0] }
                let location = location(of: view?.range.lowerBound ?? 0, bytes, path)
                result.lines.add(line: "\(location): note: \(change.text) [fcm.legacy-change]")
            }
        }
        for finding in later?.findings ?? [] {
            let offset = MessageReport.offset(of: finding, in: file.body)
            result.add(finding, isRefusal: false, at: location(of: file.offset(offset), bytes, path))
        }
        for entry in report.entries {
            let location = location(of: file.offset(entry.offset), bytes, path)
            result.add(entry.finding, isRefusal: entry.isRefusal, at: location, remedy: entry.remedy)
        }
        return result
    }

    /// - Parameter offset: nil if the file is in the legacy format and only the converted message has the value.
    private static func location(of offset: Int?, _ bytes: [UInt8], _ path: String) -> String {
        guard let offset else { return "\(path) as v1" }
        let position = JSONPosition(of: min(offset, bytes.count), in: bytes)
        return "\(path):\(position.line):\(position.column)"
    }

    /// The location of the value that a finding is about, or of the start of the file.
    private static func location(of finding: Finding, _ body: [UInt8], _ path: String) -> String {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: body)
            let view = JSONPointer(finding.path).flatMap { document.root[$0] } ?? document.root
            return location(of: view.range.lowerBound, body, path)
        } catch {
            return location(of: error.offset, body, path)
        }
    }
}
