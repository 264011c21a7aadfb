/// Variables as the text of a shell or of an environment file.
enum EnvText {
    typealias Line = (_ name: String, _ value: String?) throws(ExitFailure) -> String?

    static func lines(
        _ variables: [(name: String, value: String?)], _ line: Line
    ) throws(ExitFailure) -> [String] {
        var lines: [String] = []
        for (name, value) in variables {
            if let text = try line(name, value) { lines.append(text) }
        }
        return lines
    }

    /// A command of a POSIX shell. Between single quotes, only a single quote has a meaning.
    static func shell(_ name: String, _ value: String?) -> String? {
        guard let value else { return "unset \(name)" }
        return "export \(name)=\(quoted(value))"
    }

    /// A text in single quotes, for a POSIX shell.
    static func quoted(_ text: String) -> String {
        // Compares scalars, not characters: a quote and a combining mark are one character, but the shell sees the quote.
        "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }

    /// A line of an environment file for Docker Compose. Compose removes quotes around a value, and replaces `$NAME` in it
    /// unless the quotes are single ones. A value of plain characters gets no quotes, because `docker run --env-file` would
    /// take them for a part of the value.
    static func dotenv(_ name: String, _ value: String?) throws(ExitFailure) -> String? {
        guard let value else { return nil }
        if value.unicodeScalars.allSatisfy(isPlain) { return "\(name)=\(value)" }
        let scalars = value.unicodeScalars
        if !scalars.contains("'"), scalars.last != "\\" { return "\(name)='\(value)'" }
        guard !scalars.contains("$"), !scalars.contains(where: { "\r\n".unicodeScalars.contains($0) }) else {
            throw ExitFailure(
                code: 64,
                message:
                    "\(name) can't be written for Docker Compose: its value has a single quote or ends in a backslash, and also has a $ or a line break"
            )
        }
        let escaped = scalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\(name)=\"\(escaped)\""
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_-./:@%+,=~[]".unicodeScalars.contains(scalar))
    }
}
