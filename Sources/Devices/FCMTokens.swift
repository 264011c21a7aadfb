internal import PushCore

/// Registration tokens in the shape of Google's (facts/fcm.md §3.1, code).
enum FCMTokens {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// An installation's id of 22 letters, the first c to f; a colon; `APA91b` and 134 more, 113 for browsers.
    static func make(for platform: Device.Platform, using generator: inout Random) -> String {
        func letters(_ count: Int) -> String {
            String((0..<count).map { _ in alphabet[Int(generator.next() & 63)] })
        }
        return ["c", "d", "e", "f"][Int(generator.next() & 3)] + letters(21) + ":APA91b"
            + letters(platform == .web ? 113 : 134)
    }
}
