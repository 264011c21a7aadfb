/// The path of a value in a document (RFC 6901), such as `/aps/alert/0`. The empty pointer means the whole document.
package struct JSONPointer: Sendable, Equatable, CustomStringConvertible {
    /// Keys and array indices from the outermost value inwards, with `~` escapes decoded.
    package private(set) var tokens: [String]

    package init(tokens: [String] = []) {
        self.tokens = tokens
    }

    /// Nil if `text` is malformed: it must be empty or start with a slash, and 0 or 1 must follow each `~`.
    package init?(_ text: String) {
        tokens = []
        guard !text.isEmpty else { return }
        var token: [UInt8]?
        var isEscaped = false
        for byte in text.utf8 {
            switch (byte, isEscaped) {
            case (UInt8(ascii: "0"), true): token?.append(UInt8(ascii: "~"))
            case (UInt8(ascii: "1"), true): token?.append(UInt8(ascii: "/"))
            case (_, true): return nil
            case (UInt8(ascii: "/"), false):
                if let token { tokens.append(String(decoding: token, as: UTF8.self)) }
                token = []
            case (UInt8(ascii: "~"), false): break
            case (_, false): token?.append(byte)
            }
            guard token != nil else { return nil }
            isEscaped = byte == UInt8(ascii: "~")
        }
        guard let token, !isEscaped else { return nil }
        tokens.append(String(decoding: token, as: UTF8.self))
    }

    package func appending(_ token: String) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }
    package func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

    package var description: String {
        var text = ""
        for token in tokens {
            text += "/"
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }
}
