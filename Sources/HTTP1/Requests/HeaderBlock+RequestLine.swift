internal import HTTPCore

extension HeaderBlock {
    /// Appends the pseudo-fields of a request line: `:method`, `:path`, and `:authority` for an absolute URL.
    mutating func append(_ line: Span<UInt8>, _ parsed: RequestLine) {
        append(.method, line, parsed.method)
        if let path = parsed.target.path { append(.path, line, path, prefix: parsed.target.missingPrefix) }
        if let authority = parsed.target.authority { append(.authority, line, authority) }
    }

    private mutating func append(
        _ name: HeaderName, _ line: Span<UInt8>, _ value: Range<Int>, prefix: UInt8? = nil
    ) {
        append(name, valueCount: value.count + (prefix == nil ? 0 : 1)) { output in
            if let prefix { output.append(prefix) }
            output.append(line.extracting(value))
        }
    }
}
