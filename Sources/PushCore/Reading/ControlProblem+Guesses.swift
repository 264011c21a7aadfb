package import JSON

/// Errors about names and words that are not known, with a guess at what was meant.
extension ControlProblem {
    /// An unknown member of an object, or an unknown query parameter (without a pointer).
    package static func unknown(_ name: String, among known: [String], at pointer: String) -> ControlProblem {
        .bad(sentences(aboutUnknown: name, among: known), at: pointer)
    }

    /// The text of such an error.
    package static func sentences(aboutUnknown name: String, among known: [String]) -> String {
        let guess = guess(name, known).map { " \($0)" } ?? ""
        return "\(name.quoted) is unknown.\(guess) Use one of \(known.joined(separator: ", "))."
    }

    /// The question whether one of these words was meant; nil if none resembles the text.
    package static func guess(_ text: String, _ words: [String]) -> String? {
        NameGuesser(words, minLength: 4).guess(text).map { "Did you mean '\($0)'?" }
    }
}

extension JSONView {
    /// The value in an error message: its JSON text, shortened.
    package var briefly: String {
        let text = shown
        return (text.count > Self.briefLength ? text.prefix(Self.briefLength) + "…" : text[...])
            .description.onOneLine
    }

    private static var briefLength: Int { 60 }
}
