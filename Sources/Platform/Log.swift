package import JSON
package import PushCore

/// Writes one line per event to stderr.
///
/// There is no global log: it is passed to the parts that need it. Provider tokens, keys and whole payloads are never
/// logged. Request paths, with their device tokens, the titles of pushes, and parts of a payload that a finding quotes
/// appear at level `info`.
package struct Log: Sendable {
    package enum Format: String, Sendable, CaseIterable { case text, json }
    package enum Level: String, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error, none

        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            case .none: 4
            }
        }
    }

    private let format: Format
    private let level: Level
    /// Whether lines with a layout of their own may have colours.
    package let isColored: Bool
    private let write: @Sendable ([UInt8]) -> Void

    package init(
        format: Format, level: Level, isColored: Bool = false, write: (@Sendable ([UInt8]) -> Void)? = nil
    ) {
        self.format = format
        self.level = level
        self.isColored = isColored
        let standardError = StandardError()
        self.write = write ?? { line in standardError.write(line) }
    }

    package func isOn(_ level: Level) -> Bool { level >= self.level }

    /// - Parameter fields: details of the message. Fields with a nil value are left out.
    package func callAsFunction(
        _ level: Level, _ message: String, at time: Timestamp, _ fields: KeyValuePairs<String, (any LogValue)?> = [:]
    ) {
        guard isOn(level) else { return }
        write(line(level, message, time, fields.compactMap { key, value in value.map { (key, shortened($0)) } }))
    }

    /// Writes a line with its own layout.
    ///
    /// - Parameters:
    ///   - text: the line for people, on one line.
    ///   - members: writes what a line in JSON has besides time, level and message. If the line is too long, it is
    ///     called again with true, and has to write less.
    package func line(
        _ level: Level, _ message: String, at time: Timestamp, text: () -> String,
        members: (inout JSONWriter, _ isShort: Bool) -> Void
    ) {
        guard isOn(level) else { return }
        switch format {
        case .text:
            var line = Array(text().utf8)
            if line.count >= StandardError.longestLine {
                line = Array(String(decoding: line.prefix(Self.longestText), as: UTF8.self).utf8)
            }
            write(line + [Self.newline])
        case .json:
            let line = json(level, message, time) { members(&$0, false) }
            write(
                line.count <= StandardError.longestLine
                    ? line : json(level, message, time) { members(&$0, true) })
        }
    }

    private static let newline = UInt8(ascii: "\n")
    /// Leaves room for a newline, and for a character that is cut off.
    private static let longestText = StandardError.longestLine &- 8

    private func json(
        _ level: Level, _ message: String, _ time: Timestamp, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("time", time.description)
            json.member("level", level.rawValue)
            json.member("message", message)
            members(&json)
        }
        return Array(String(decoding: json.finish(), as: UTF8.self).onOneLine.utf8) + [Self.newline]
    }

    private func line(
        _ level: Level, _ message: String, _ time: Timestamp, _ fields: [(key: String, value: any LogValue)]
    ) -> [UInt8] {
        switch format {
        case .text:
            let tail = fields.map { " \($0.key)=\(visible($0.value.logText))" }.joined()
            return Array("\(time) \(level.rawValue) \(message.onOneLine)\(tail)\n".utf8)
        case .json:
            return json(level, message, time) { json in
                for (key, value) in fields { value.write(key, to: &json) }
            }
        }
    }

    /// Truncates a long value, because a line that is longer than one write (`StandardError`) is cut off.
    private func shortened(_ value: any LogValue) -> any LogValue {
        let text = value.logText.utf8
        return text.count > Self.longestValue
            ? String(decoding: text.prefix(Self.longestValue), as: UTF8.self) + "…" : value
    }

    private static let longestValue = 300

    /// Quotes a value that is not a single word.
    private func visible(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
        if isPlain { return value }
        let safe = value.onOneLine
        return "\"" + safe.unicodeScalars.map { $0 == "\"" ? "'" : String($0) }.joined() + "\""
    }
}
