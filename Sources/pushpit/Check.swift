internal import APNs
internal import FCM
internal import Gateway
internal import Glibc
internal import JSON
internal import PushCore

/// `pushpit check FILE…`: what would be refused of these payloads, or found.
enum Check {
    static func run(_ options: Options) throws(ExitFailure) {
        guard !options.operands.isEmpty else { throw .usage("check needs a FILE, or - for standard input", .check) }
        let validation = try options.choice("validation", APNsPolicy.Validation.self)
        let type = try Send.type(options)
        var refused = 0
        for path in options.operands {
            let bytes = try Send.read(path)
            let isRefused =
                if let file = MessageFile(bytes) {
                    check(file, bytes, path, isStrict: validation == .strict)
                } else {
                    check(bytes, path, type, validation)
                }
            if isRefused { refused += 1 } else { show("\(path): accepted\(isLegacy(bytes) ? " as v1" : "")\n") }
        }
        if refused > 0 {
            throw ExitFailure(code: 65, message: "\(refused) of \(options.operands.count) would be refused")
        }
    }

    private static func isLegacy(_ bytes: [UInt8]) -> Bool { MessageFile(bytes)?.shape == .legacy }

    /// A payload for Apple. True where it is refused.
    private static func check(
        _ body: [UInt8], _ path: String, _ type: APNsPushType?, _ validation: APNsPolicy.Validation
    ) -> Bool {
        let report = PayloadReport(body, type: type, validation: validation)
        for finding in report.findings {
            tell(
                finding, isRefusal: finding == report.refusal, isRefused: report.refusal != nil,
                place(of: finding, body, path))
        }
        return report.refusal != nil
    }

    /// A message for FCM; one of the old shape is shown as what it has to be.
    private static func check(_ file: MessageFile, _ bytes: [UInt8], _ path: String, isStrict: Bool) -> Bool {
        if file.shape == .legacy {
            let root = (try? JSONDocument(parsing: bytes, dialect: .google))?.root
            show(
                "\(path): warning: this is the shape of the API that Google ended in 2024; the same for messages:send: [fcm.legacy-shape]\n"
            )
            show(String(decoding: file.body, as: UTF8.self) + "\n")
            for change in file.changes {
                let view = JSONPointer(change.path).flatMap { root?[$0] }
                show(
                    "\(place(of: view?.range.lowerBound ?? 0, bytes, path)): note: \(change.text) [fcm.legacy-change]\n"
                )
            }
        }
        let report = MessageReport(file.body, isStrict: isStrict)
        for entry in report.entries {
            let whereabouts = file.offset(entry.offset).map { place(of: $0, bytes, path) } ?? "\(path) as v1"
            tell(entry.finding, isRefusal: entry.isRefusal, isRefused: report.isRefused, whereabouts)
        }
        return report.isRefused
    }

    private static func tell(_ finding: Finding, isRefusal: Bool, isRefused: Bool, _ place: String) {
        let isHarmless = !isRefused && finding.severity == .error
        let word = isRefusal ? "refused" : isHarmless ? "warning" : finding.severity.rawValue
        show("\(place): \(word): \(finding.message) [\(finding.rule)]\n")
    }

    private static func place(of offset: Int, _ bytes: [UInt8], _ path: String) -> String {
        let position = JSONPosition(of: min(offset, bytes.count), in: bytes)
        return "\(path):\(position.line):\(position.column)"
    }

    /// `FILE:LINE:COLUMN` of what a finding is about, or of the file's beginning.
    private static func place(of finding: Finding, _ body: [UInt8], _ path: String) -> String {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: body)
            let view = JSONPointer(finding.path).flatMap { document.root[$0] } ?? document.root
            return place(of: view.range.lowerBound, body, path)
        } catch {
            return place(of: error.offset, body, path)
        }
    }
}
