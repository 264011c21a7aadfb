internal import APNs
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
            let body = try Send.read(path)
            let report = PayloadReport(body, type: type, validation: validation)
            for finding in report.findings {
                let isHarmless = report.refusal == nil && finding.severity == .error
                let word = finding == report.refusal ? "refused" : isHarmless ? "warning" : finding.severity.rawValue
                show("\(place(of: finding, body, path)): \(word): \(finding.message) [\(finding.rule)]\n")
            }
            if report.refusal != nil { refused += 1 } else { show("\(path): accepted\n") }
        }
        if refused > 0 {
            throw ExitFailure(code: 65, message: "\(refused) of \(options.operands.count) would be refused")
        }
    }

    /// `FILE:LINE:COLUMN` of what a finding is about, or of the file's beginning.
    private static func place(of finding: Finding, _ body: [UInt8], _ path: String) -> String {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: body)
            let view = JSONPointer(finding.path).flatMap { document.root[$0] } ?? document.root
            let position = document.position(of: view.range.lowerBound)
            return "\(path):\(position.line):\(position.column)"
        } catch {
            let position = JSONPosition(of: min(error.offset, body.count), in: body)
            return "\(path):\(position.line):\(position.column)"
        }
    }
}
