internal import HTTPCore

/// The error for input that does not begin with HTTP/2's preface.
enum BadPreface {
    /// The debug text of Netty, which APNs probably uses (docs/evidence/apns.md §1.2).
    static func text(_ bytes: Span<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var hex: [UInt8] = []
        for index in 0..<min(24, bytes.count) {
            hex.append(digits[Int(bytes[index] >> 4)])
            hex.append(digits[Int(bytes[index] & 15)])
        }
        return "HTTP/2 client preface string missing or corrupt. Hex dump for received bytes: "
            + String(decoding: hex, as: UTF8.self)
    }
}
