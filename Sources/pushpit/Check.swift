internal import APNs
internal import EventLoop
internal import FCM
internal import Gateway
internal import JSON
internal import PushCore

/// `pushpit check FILE…`: validates APNs payloads and FCM messages without sending them.
enum Check {
    /// The result for one file.
    struct Result: Equatable {
        /// The lines to print.
        var text = ""
        var isRefused = false
        /// The severities of the lines about an accepted file.
        var severities: Set<Finding.Severity> = []

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
        var (refused, failed) = (0, 0)
        for path in options.operands {
            let now = Timestamp(milliseconds: EventLoop.wallClock)
            let result = check(try Send.read(path), path, type, validation, at: now)
            printOutput(result.text)
            if result.isRefused { refused += 1 }
            if result.fails(on: threshold) { failed += 1 }
        }
        let all = options.operands.count
        if refused > 0 { throw ExitFailure(code: 65, message: "\(refused) of \(all) would be refused") }
        if failed > 0 {
            let least = threshold == .note ? "a note or a warning" : "a warning"
            throw ExitFailure(code: 65, message: "\(failed) of \(all) would be accepted with \(least)")
        }
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
        if !result.isRefused { result.text += "\(path): accepted\(file?.shape == .legacy ? " as v1" : "")\n" }
        return result
    }

    private static func checkPayload(
        _ body: [UInt8], _ path: String, _ type: APNsPushType?, _ validation: APNsPolicy.Validation
    ) -> Result {
        let report = PayloadReport(body, type: type, validation: validation)
        var result = Result(isRefused: report.refusal != nil)
        for finding in report.findings {
            result.severities.insert(finding.severity)
            result.text += line(
                finding, isRefusal: finding == report.refusal, isRefused: result.isRefused,
                location(of: finding, body, path))
        }
        return result
    }

    /// Checks an FCM message. A message in the legacy format is converted first, and the result is shown.
    private static func checkMessage(
        _ file: MessageFile, _ bytes: [UInt8], _ path: String, isStrict: Bool, at now: Timestamp
    ) -> Result {
        let report = MessageReport(file.body, isStrict: isStrict)
        var result = Result(isRefused: report.isRefused)
        if file.shape == .legacy {
            result.severities.insert(.warning)
            let root = (try? JSONDocument(parsing: bytes, dialect: .google))?.root
            result.text +=
                "\(path): warning: this message has the format of the API that Google discontinued in 2024; "
                + "as a request for messages:send: [fcm.legacy-shape]\n"
            result.text += String(decoding: file.body, as: UTF8.self) + "\n"
            for change in file.changes {
                let view = JSONPointer(change.path).flatMap { root?[$0] }
                let location = location(of: view?.range.lowerBound ?? 0, bytes, path)
                result.text += "\(location): note: \(change.text) [fcm.legacy-change]\n"
            }
        }
        let applePart = report.isRefused ? [] : appleFindings(file, known: report.entries.map(\.finding.path), at: now)
        for finding in applePart {
            result.severities.insert(finding.severity)
            let offset = MessageReport.offset(of: finding, in: file.body)
            result.text += line(
                finding, isRefusal: false, isRefused: false,
                file.offset(offset).map { location(of: $0, bytes, path) } ?? "\(path) as v1")
        }
        for entry in report.entries {
            result.severities.insert(entry.finding.severity)
            result.text += line(
                entry.finding, isRefusal: entry.isRefusal, isRefused: report.isRefused,
                file.offset(entry.offset).map { location(of: $0, bytes, path) } ?? "\(path) as v1")
        }
        return result
    }

    /// What would not work on an iPhone, without the values about which there is a finding already.
    private static func appleFindings(_ file: MessageFile, known: [String], at now: Timestamp) -> [Finding] {
        guard let message = FCMPayload(file.body), let payload = message.appleSpecific else { return [] }
        var memo = PushCheckCache()
        let findings = APNsDialect.findings(
            inMessageWith: payload, message.appleHeaders, isForLiveActivity: message.liveActivityToken != nil, &memo,
            at: now)
        return findings.filter { !known.contains($0.path) }
    }

    /// A line like `FILE:LINE:COLUMN: SEVERITY: MESSAGE [RULE]`. If the push is not refused,
    /// an error is shown as a warning.
    private static func line(_ finding: Finding, isRefusal: Bool, isRefused: Bool, _ location: String) -> String {
        let isHarmless = !isRefused && finding.severity == .error
        let severity = isRefusal ? "refused" : isHarmless ? "warning" : finding.severity.rawValue
        return "\(location): \(severity): \(finding.message) [\(finding.rule)]\n"
    }

    private static func location(of offset: Int, _ bytes: [UInt8], _ path: String) -> String {
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
