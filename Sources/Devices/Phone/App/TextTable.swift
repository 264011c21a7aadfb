/// The localized texts in an app's bundle or resources, by language and key (docs/evidence/device.md §2.3(11) and
/// §3.3).
struct TextTable: Sendable {
    private(set) var languages: [String: [String: String]] = [:]

    var isEmpty: Bool { languages.isEmpty }

    mutating func add(_ text: String, _ key: String, in language: String) {
        languages[language, default: [:]][key] = text
    }

    /// The text in the device's language. The lookup tries `de-CH`, then `de`, then `en`, which stands for the app's
    /// development language.
    func text(_ key: String, for locale: String) -> String? {
        let language = String(locale.prefix { $0 != "-" && $0 != "_" })
        return languages[locale]?[key] ?? languages[language]?[key] ?? languages["en"]?[key]
    }

    /// Inserts arguments into a text: `%@`, `%s` or `%d` takes the next argument, `%2$@` the second, and `%%` is a
    /// percent sign. Nil if there are too few arguments.
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
            let afterDigits = rest[digits.endIndex...]
            let isNumbered = !digits.isEmpty && afterDigits.first == "$"
            guard let kind = isNumbered ? afterDigits.dropFirst().first : rest.first, "@sd".contains(kind) else {
                result += "%"
                continue
            }
            let index = isNumbered ? (Int(digits) ?? 0) - 1 : next
            guard arguments.indices.contains(index) else { return nil }
            result += arguments[index]
            if !isNumbered { next += 1 }
            rest = isNumbered ? afterDigits.dropFirst(2) : rest.dropFirst()
        }
        return result + rest
    }
}

/// The keys of localized texts in a payload, for title, subtitle and body.
struct LocalizationKeys: Sendable {
    struct Key: Sendable {
        let key: String
        let arguments: [String]
    }

    var title: Key?
    var subtitle: Key?
    var body: Key?

    var isEmpty: Bool { title == nil && subtitle == nil && body == nil }

    /// The texts in the device's language. A text without a localization key stays unchanged.
    ///
    /// - Parameter missing: returns the replacement for a text that the app does not have.
    func localized(_ text: NotificationText, from table: TextTable, for locale: String, missing: (Key) -> String)
        -> NotificationText
    {
        func resolved(_ key: Key?, _ plain: String) -> String {
            guard let key else { return plain }
            return table.text(key.key, for: locale).flatMap { TextTable.format($0, key.arguments) } ?? missing(key)
        }
        return NotificationText(
            title: resolved(title, text.title), subtitle: resolved(subtitle, text.subtitle),
            body: resolved(body, text.body), image: text.image)
    }
}
