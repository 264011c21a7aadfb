/// One entry of a document's list of nodes (the tape): a value, or a member's key, which comes right before its value.
struct JSONNode: Sendable {
    /// What the parser learned about the value, so that decoding does not have to look again.
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// A string with at least one backslash.
        static let escaped = Flags(rawValue: 1)
        /// A string with a `\u` escape for half of a surrogate pair.
        static let loneSurrogate = Flags(rawValue: 2)
        /// A number without a fraction or exponent.
        static let integer = Flags(rawValue: 4)
        /// A key without quotes.
        static let bare = Flags(rawValue: 8)
    }

    /// The index that means "no node". The outermost value has this index as its container.
    static let none = UInt32.max

    let kind: JSONKind
    var flags: Flags = []
    /// The offset of its first byte in the text.
    let start: UInt32
    /// The offset after its last byte.
    var end: UInt32 = 0
    /// The index after this node and everything inside it. While a container is open: the index of the container
    /// around it.
    var next: UInt32
    /// The number of elements or members.
    var count: UInt32 = 0

    /// False if this node cannot be a string or key of `length` bytes. Most comparisons end with this check. Always
    /// true for a string with escapes, whose length is unknown until it is decoded.
    func mayBeString(ofLength length: Int) -> Bool {
        guard kind == .string else { return false }
        let contents = Int(end &- start)
        if flags.isDisjoint(with: [.escaped, .bare]) { return contents &- 2 == length }
        return flags.contains(.escaped) || contents == length
    }
}
