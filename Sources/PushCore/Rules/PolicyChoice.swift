/// A behavior of a real service that has never been recorded, or that was observed to differ from the documentation.
///
/// Pushpit has a default answer for each, and another answer that an option selects.
package protocol PolicyChoice: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The names of the default and of the other answer.
    var values: (standard: String, other: String) { get }
    /// The situation, in words.
    var meaning: String { get }
}
