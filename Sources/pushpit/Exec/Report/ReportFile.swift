internal import Platform
internal import PushCore

/// A file of `--report`.
struct ReportFile: Equatable {
    enum Format: String, CaseIterable { case json, junit }

    let format: Format
    let path: String

    init?(parsing text: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let format = Format(rawValue: parts[0]) else { return nil }
        self.format = format
        path = Files.resolved(parts[1])
    }

    /// The files of the option. Each of them can be written; directories that do not exist are made. What an earlier run
    /// has written there is deleted.
    static func files(_ options: Options) throws(ExitFailure) -> [ReportFile] {
        var files: [ReportFile] = []
        for text in options.list("report") {
            guard let file = ReportFile(parsing: text) else {
                throw options.invalid("report", text, "must be 'json FILE' or 'junit FILE'")
            }
            do throws(Files.Failure) {
                try Files.makeDirectory(around: file.path)
                try Files.checkWritable(file.path)
                if Files.readRegular(file.path, atMost: .max) != nil { Files.remove(file.path) }
            } catch {
                throw ExitFailure(code: 73, message: "--report: \("\(error)".onOneLine)")
            }
            files.append(file)
        }
        return files
    }

    func write(_ report: ExecReport) throws(ExitFailure) {
        let bytes = format == .json ? report.json : report.junit
        do throws(Files.Failure) { try Files.write(bytes, to: path, mode: Files.defaultMode, isLasting: false) } catch {
            throw ExitFailure(code: 74, message: "--report: \("\(error)".onOneLine)")
        }
    }
}
