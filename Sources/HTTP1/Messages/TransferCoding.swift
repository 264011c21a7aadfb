/// Checks the value of a Transfer-Encoding field: only `chunked`, alone, is accepted.
enum TransferCoding {
    /// Nil for `chunked`. A list of codings is refused as unknown if `chunked` is last or missing. Anything else is
    /// refused because it does not determine where the body ends.
    static func refusal(of value: ArraySlice<UInt8>) -> Refusal? {
        if value.equalsIgnoringCase("chunked") { return nil }
        var hasUnknown = false
        var hasChunked = false
        for coding in ListElements(value) {
            guard !hasChunked, !coding.isEmpty else { return .transferEncoding }
            if coding.equalsIgnoringCase("chunked") {
                hasChunked = true
            } else {
                let name = coding.prefix { $0 != UInt8(ascii: ";") }.trimmed
                guard !name.isEmpty, name.allSatisfy(\.isToken), !name.equalsIgnoringCase("chunked") else {
                    return .transferEncoding
                }
                hasUnknown = true
            }
        }
        return hasUnknown ? .transferCodingUnknown : .transferEncoding
    }
}
