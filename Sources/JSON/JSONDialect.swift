/// Which texts count as JSON.
///
/// The parser switches over it, without a default, at the few places where dialects part: what may begin a
/// string, what may be a key, and what may follow a comma. A new case makes the compiler list them.
package enum JSONDialect: Sendable {
    /// RFC 8259 to the letter, in UTF-8 without a byte order mark.
    case rfc8259
    /// What Google's own reader takes (facts/fcm.md §2.2): also a comma before a closing bracket, strings in single
    /// quotes, bare keys, and control characters within strings.
    case google
}
