internal import PushCore

/// Generates registration tokens in Google's format (docs/evidence/fcm.md §3.1, code).
enum FCMTokens {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// An installation id of 22 characters that begins with c, d, e or f; a colon; and `APA91b` with 134 more
    /// characters, or 113 for browsers.
    static func make(for platform: Device.Platform, using generator: inout Random) -> String {
        func letters(_ count: Int) -> String {
            String((0..<count).map { _ in alphabet[Int(generator.next() & 63)] })
        }
        return ["c", "d", "e", "f"][Int(generator.next() & 3)] + letters(21) + ":APA91b"
            + letters(platform == .web ? 113 : 134)
    }
}
