/// Colours of a terminal, or none.
package struct Colors: Sendable {
    private let isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    func faint(_ text: Substring) -> String { colored(String(text), "2") }
    func good(_ text: String) -> String { colored(text, "32") }
    func warning(_ text: String) -> String { colored(text, "33") }
    func bad(_ text: String) -> String { colored(text, "31") }

    private func colored(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
