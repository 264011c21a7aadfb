internal import HTTPCore

extension RequestParser {
    /// The maximum number of empty lines to skip before a request line: some clients send one after a body (RFC 9112
    /// §2.2).
    private static let maximumEmptyLines = 2

    /// Reads the request line, or skips an empty line before it.
    mutating func readRequestLine(_ line: Span<UInt8>, _ emptyLines: Int) throws(Refusal) {
        guard !line.isEmpty else {
            guard emptyLines < Self.maximumEmptyLines else { throw .emptyLines }
            state = .requestLine(emptyLines: emptyLines + 1)
            return
        }
        let parsed = try RequestLine(line)
        head.headers.reserve(bytes: 512, fields: 16)
        head.headers.append(line, parsed)
        if parsed.target.authority != nil {
            guard HostSyntax.isValid(head.headers.first(.authority) ?? []) else {
                throw parsed.target.path == nil ? .connect : .targetAuthority
            }
        }
        state = .fields(parsed.version, .header(limits))
    }

    /// Reads a header field. Returns true for the empty line that ends the head.
    mutating func readField(
        _ line: Span<UInt8>, _ version: HTTPVersion, _ budget: FieldBudget
    ) throws(Refusal) -> Bool {
        guard !line.isEmpty else { return true }
        var budget = budget
        try budget.spend(line.count)
        switch try head.append(line) {
        case .host:
            guard !hasHost else { throw .hostTwice }
            guard HostSyntax.isValid(head.lastValue) else { throw .host }
            hasHost = true
        case .expect:
            for expectation in ListElements(head.lastValue) {
                guard expectation.equalsIgnoringCase("100-continue") else { throw .expectation }
            }
            hasExpectation = true
        case .connection, .contentLength, .transferEncoding, .upgrade, nil: break
        }
        state = .fields(version, budget)
        return false
    }

    /// Checks the complete head and prepares for the body.
    mutating func finishHead(_ version: HTTPVersion) throws(Refusal) -> Head {
        try head.checkFraming(in: version)
        guard hasHost || version == .http10 else { throw .hostMissing }
        let length: BodyReader.Length = head.isChunked ? .chunked : .exactly(head.contentLength ?? 0)
        state = .body(BodyReader(length, limits: limits))
        defer {
            head = MessageHead()
            hasHost = false
            hasExpectation = false
        }
        let hasBody = head.isChunked || head.contentLength ?? 0 > 0
        guard !hasBody || head.headers.range(of: .path) != nil else { throw .connect }
        return Head(
            request: Request(version: version, headers: head.headers),
            keepAlive: head.keepAlive(in: version),
            expectsContinue: hasExpectation && hasBody && version != .http10,
            upgrade: version == .http10 ? nil : head.upgradeOffer,
            hasBody: hasBody,
            contentLength: head.contentLength)
    }
}
