internal import Platform
internal import PushCore

/// The bearer token of a gateway, given directly or in a file.
extension Options {
    private static let fileName = "api-token-file"
    private static let maxBytes = 4096

    /// The file with the token; nil if `--api-token` is set, or if neither option is.
    func apiTokenFile() throws(ExitFailure) -> String? { list("api-token").isEmpty ? try text(Self.fileName) : nil }

    /// The token; nil if neither option is set. `serve` makes the file if it does not exist.
    func apiToken() throws(ExitFailure) -> String? {
        guard let path = try apiTokenFile() else { return try headerValue("api-token") }
        if command == .serve { try makeToken(path) }
        let bytes: [UInt8]?
        do throws(Files.Failure) { bytes = try Files.read(path) } catch {
            throw .badConfiguration("\(error)")
        }
        guard let bytes else {
            throw invalid(
                Self.fileName, path,
                "does not exist: start the gateway, which makes it, or give the file that it has made")
        }
        let token = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard bytes.count <= Self.maxBytes, let first = token.first, token.dropFirst().allSatisfy(\.isEmpty),
            !first.isEmpty
        else { throw invalid(Self.fileName, path, "must contain one line: the token") }
        if let problem = HeaderText.problem(String(first)) {
            throw .usage("the token in \(path.onOneLine) \(problem)", command)
        }
        return String(first)
    }

    /// Writes a random token, unless the file exists.
    private func makeToken(_ path: String) throws(ExitFailure) {
        let digits = (0..<3).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        let isShared = try choice("share-credentials", Switch.self) == .on
        do throws(Files.Failure) {
            try Files.makeDirectory(around: path)
            try Files.make(Array("\(digits)\n".utf8), at: path, mode: isShared ? 0o644 : 0o600)
            if isShared { try Files.setMode(0o644, of: path) }
        } catch {
            throw .badConfiguration("\(error)")
        }
    }
}
