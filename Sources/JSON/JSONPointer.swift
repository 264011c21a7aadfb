/// A place in a document, as RFC 6901 writes it: `/aps/alert/0`, or nothing for the whole.
package struct JSONPointer: Sendable, Equatable, CustomStringConvertible {
    /// Keys and places from the outermost value inwards, without `~` escapes.
    package private(set) var tokens: [String]

    package init(tokens: [String] = []) {
        self.tokens = tokens
    }

    /// Nil where a text does not begin with a slash, or has a `~` without 0 or 1 behind it.
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
    package func appending(_ place: Int) -> JSONPointer { appending(String(place)) }

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
