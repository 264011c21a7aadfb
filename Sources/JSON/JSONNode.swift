/// One entry of the tape: a value, or the key of a member right before its value.
struct JSONNode: Sendable {
    /// What the parser learned on the way, so that decoding need not look again.
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// A string with at least one backslash.
        static let escaped = Flags(rawValue: 1)
        /// A string with a `\u` escape for half of a surrogate pair.
        static let loneSurrogate = Flags(rawValue: 2)
        /// A number without fraction and exponent.
        static let integer = Flags(rawValue: 4)
        /// A key without quotes.
        static let bare = Flags(rawValue: 8)
    }

    /// No node: the container of the outermost value.
    static let none = UInt32.max

    let kind: JSONKind
    var flags: Flags = []
    /// Its first byte in the text.
    let start: UInt32
    /// The byte after its last one.
    var end: UInt32 = 0
    /// The node after this one and everything in it; in a container still open, the container around it.
    var next: UInt32
    /// How many elements or members it has.
    var count: UInt32 = 0
}
