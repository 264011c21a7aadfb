/// Something of a real service that nobody has recorded, or that is documented otherwise than it was seen: what is taken
/// for it here, and the other answer for those who know better.
package protocol PolicyChoice: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// What it is named, as it is and otherwise.
    var values: (standard: String, other: String) { get }
    /// What it is about.
    var meaning: String { get }
}
