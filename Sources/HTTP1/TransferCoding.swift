/// What a Transfer-Encoding field may say: `chunked`, once and alone.
enum TransferCoding {
    /// Nil for `chunked`. A list that ends with `chunked` or does without it is refused for its unknown
    /// codings; everything else leaves in doubt where the body ends.
    static func refusal(of value: ArraySlice<UInt8>) -> Refusal? {
        if value.isWord("chunked") { return nil }
        var hasUnknown = false
        var hasChunked = false
        for coding in ListElements(value) {
            guard !hasChunked, !coding.isEmpty else { return .transferEncoding }
            if coding.isWord("chunked") {
                hasChunked = true
            } else {
                let name = coding.prefix { $0 != UInt8(ascii: ";") }.trimmed
                guard !name.isEmpty, name.allSatisfy(\.isToken), !name.isWord("chunked") else {
                    return .transferEncoding
                }
                hasUnknown = true
            }
        }
        return hasUnknown ? .transferCodingUnknown : .transferEncoding
    }
}
