/// The grammar that the parser accepts.
///
/// The dialects differ in how a string may begin, what it may contain, which keys are allowed, and what may follow a
/// comma. The parser switches over the dialect at these places without a `default`, so the compiler lists them if you
/// add a case. The exception is `skipEscape`, which only asks for `google`.
package enum JSONDialect: Sendable {
    /// Exactly RFC 8259, in UTF-8 without a byte order mark.
    case rfc8259
    /// What Google's parser accepts (docs/evidence/fcm.md §2.2). It extends RFC 8259 with a comma before a closing
    /// bracket, strings in single quotes, the escape `\'`, keys without quotes, and control characters in strings.
    case google
}
