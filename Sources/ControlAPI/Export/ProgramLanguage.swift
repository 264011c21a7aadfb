internal import JSON

/// Values as they are written in the source code of an exported program.
///
/// A payload is untrusted text. So a string contains only printable characters that are written from left to right;
/// all others are escapes, and nothing can end the string or change how the code looks.
enum ProgramLanguage {
    case python, javaScript

    /// How deep a value may be nested. Python's parser allows 200 open brackets.
    private static let maxDepth = 90
    /// Python rejects longer integers.
    private static let longestNumber = 1000

    private var indent: String { self == .python ? "    " : "  " }

    func quoted(_ text: String) -> String {
        var code = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": code += "\\\\"
            case "\"": code += "\\\""
            case "\n": code += "\\n"
            case "\t": code += "\\t"
            case _ where Self.isPlain(scalar): code.unicodeScalars.append(scalar)
            default: code += escape(scalar)
            }
        }
        return code + "\""
    }

    /// ASCII, Latin letters and pictures, without soft hyphens.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x24F, 0x1F300...0x1FAFF: true
        default: false
        }
    }

    private func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        func padded(_ count: Int) -> String { String(repeating: "0", count: max(0, count &- digits.count)) + digits }
        if scalar.value <= 0xFFFF { return "\\u\(padded(4))" }
        return self == .python ? "\\U\(padded(8))" : "\\u{\(digits)}"
    }

    /// The value on several lines; nil if the program would send another value.
    ///
    /// - Parameter level: how far the line on which the value begins is indented.
    func literal(_ value: JSONView, at level: Int = 0, depth: Int = 0) -> String? {
        guard depth < Self.maxDepth else { return nil }
        switch value.kind {
        case .null: return self == .python ? "None" : "null"
        case .bool:
            return value.bool == true ? (self == .python ? "True" : "true") : self == .python ? "False" : "false"
        case .number: return number(value)
        case .string: return value.hasLoneSurrogate ? nil : value.string.map(quoted)
        case .array:
            var items: [String] = []
            for element in value.elements {
                guard let item = literal(element, at: level &+ 1, depth: depth &+ 1) else { return nil }
                items.append(item)
            }
            return block("[", items, "]", at: level)
        case .object:
            var items: [String] = []
            for (key, element) in value.members {
                guard !key.hasLoneSurrogate, let name = key.string,
                    let item = literal(element, at: level &+ 1, depth: depth &+ 1)
                else { return nil }
                // In a JavaScript literal, `__proto__` becomes an ordinary property only as a computed name.
                let isPrototype = self == .javaScript && name == "__proto__"
                items.append("\(isPrototype ? "[\(quoted(name))]" : quoted(name)): \(item)")
            }
            return block("{", items, "}", at: level)
        }
    }

    /// Items on lines of their own, between brackets.
    func block(_ open: String, _ items: [String], _ close: String, at level: Int) -> String {
        if items.isEmpty { return open + close }
        let margin = String(repeating: indent, count: level)
        return "\(open)\n" + items.map { "\(margin)\(indent)\($0),\n" }.joined() + margin + close
    }

    /// A number that both languages write in JSON with the same value.
    private func number(_ value: JSONView) -> String? {
        let text = String(decoding: value.source, as: UTF8.self)
        guard text.utf8.count <= Self.longestNumber, value.double != nil, Self.isNumber(text) else { return nil }
        let isWhole = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
        guard isWhole, self == .javaScript else { return text }
        return value.int64.flatMap { (-1 << 53...1 << 53).contains($0) ? text : nil }
    }

    /// Whether the text is a number in JSON. Google's dialect has other spellings too.
    private static func isNumber(_ text: String) -> Bool { (try? JSONDocument(parsing: Array(text.utf8))) != nil }
}
