/// The grammar that the parser accepts.
///
/// The parser switches over it without a `default` at the few places where the dialects differ: how a string may
/// begin, which keys are allowed, and what may follow a comma. If you add a case, the compiler lists these places.
package enum JSONDialect: Sendable {
    /// Exactly RFC 8259, in UTF-8 without a byte order mark.
    case rfc8259
    /// What Google's parser accepts (docs/evidence/fcm.md §2.2). It extends RFC 8259 with a comma before a closing
    /// bracket, strings in single quotes, keys without quotes, and control characters in strings.
    case google
}
