/// The texts that an app has in its bundle or resources, by language and key (facts/device.md §2.3(11) and §3.3).
struct TextTable: Sendable {
    private(set) var languages: [String: [String: String]] = [:]

    var isEmpty: Bool { languages.isEmpty }

    mutating func add(_ text: String, _ key: String, in language: String) {
        languages[language, default: [:]][key] = text
    }

    /// In the device's language: `de-CH`, then `de`, then `en`, which stands for the app's own.
    func text(_ key: String, for locale: String) -> String? {
        let language = String(locale.prefix { $0 != "-" && $0 != "_" })
        return languages[locale]?[key] ?? languages[language]?[key] ?? languages["en"]?[key]
    }

    /// Puts arguments into a text: `%@` or `%s` takes the next, `%2$@` the second, `%%` is a per cent sign. Nil where there
    /// are too few.
    static func format(_ text: String, _ arguments: [String]) -> String? {
        var (result, next) = ("", 0)
        var rest = text[...]
        while let mark = rest.firstIndex(of: "%") {
            result += rest[..<mark]
            rest = rest[rest.index(after: mark)...]
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { "0"..."9" ~= $0 }
            let behind = rest[digits.endIndex...]
            let isNumbered = !digits.isEmpty && behind.first == "$"
            guard let kind = isNumbered ? behind.dropFirst().first : rest.first, "@sd".contains(kind) else {
                result += "%"
                continue
            }
            let place = isNumbered ? (Int(digits) ?? 0) - 1 : next
            guard arguments.indices.contains(place) else { return nil }
            result += arguments[place]
            if !isNumbered { next += 1 }
            rest = isNumbered ? behind.dropFirst(2) : rest.dropFirst()
        }
        return result + rest
    }
}

/// Texts that a payload names by key, for title, subtitle and body.
struct TextKeys: Sendable {
    struct Key: Sendable {
        let key: String
        let arguments: [String]
    }

    var title: Key?
    var subtitle: Key?
    var body: Key?

    var isEmpty: Bool { title == nil && subtitle == nil && body == nil }

    /// The text in the device's language.
    ///
    /// - Parameter missing: what stands for a text that the app does not have.
    func text(over text: ShownText, from table: TextTable, for locale: String, missing: (Key) -> String) -> ShownText {
        func resolved(_ key: Key?, _ plain: String) -> String {
            guard let key else { return plain }
            return table.text(key.key, for: locale).flatMap { TextTable.format($0, key.arguments) } ?? missing(key)
        }
        return ShownText(
            title: resolved(title, text.title), subtitle: resolved(subtitle, text.subtitle),
            body: resolved(body, text.body), image: text.image)
    }
}
