internal import HTTPCore

extension HeaderBlock {
    /// Appends a request line's pseudo-fields: `:method`, `:path` and, from an absolute URL, `:authority`.
    mutating func append(_ line: Span<UInt8>, _ parsed: RequestLine) {
        append(.method, line, parsed.method)
        append(.path, line, parsed.target.path, after: parsed.target.missing)
        if let authority = parsed.target.authority { append(.authority, line, authority) }
    }

    private mutating func append(
        _ name: HeaderName, _ line: Span<UInt8>, _ value: Range<Int>, after first: UInt8? = nil
    ) {
        append(name, valueCount: value.count + (first == nil ? 0 : 1)) { output in
            if let first { output.append(first) }
            output.append(line.extracting(value))
        }
    }
}
