internal import PushCore

extension Random {
    /// Random characters of base64 for URLs.
    mutating func text(_ count: Int) -> String {
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
        return String(Base64URL.encode(bytes).prefix(count))
    }
}
