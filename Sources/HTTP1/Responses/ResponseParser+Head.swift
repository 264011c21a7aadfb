internal import HTTPCore

extension ResponseParser {
    mutating func readLine(
        _ input: Span<UInt8>, from offset: inout Int, limit: Int, tooLong: Refusal
    ) throws(BadResponse) -> LineReader.Line? {
        do {
            return try lines.next(input, from: &offset, limit: limit, tooLong: tooLong)
        } catch {
            throw .message(error)
        }
    }

    mutating func start(_ line: StatusLine) {
        head.headers.reserve(bytes: 512, fields: 16)
        state = .fields(line, .header(limits))
    }

    /// Reads a header field. Returns true for the empty line that ends the head.
    mutating func readField(
        _ line: Span<UInt8>, _ start: StatusLine, _ budget: FieldBudget
    ) throws(BadResponse) -> Bool {
        guard !line.isEmpty else { return true }
        var budget = budget
        do {
            try budget.spend(line.count)
            _ = try head.append(line)
        } catch {
            throw .message(error)
        }
        state = .fields(start, budget)
        return false
    }

    /// Checks the complete head and prepares for what follows it.
    mutating func finishHead(_ start: StatusLine) throws(BadResponse) -> Event {
        defer { head = MessageHead() }
        do { try head.checkFraming(in: start.version) } catch { throw .message(error) }
        let isInterim = start.status < 200 && start.status != 101
        guard !isInterim else {
            state = .statusLine
            return .interim(start.status)
        }
        let answersHead = pendingRequestIsHead.isEmpty ? false : pendingRequestIsHead.removeFirst()
        let length = bodyLength(start.status, answersHead: answersHead)
        let reader = BodyReader(length, limits: limits)
        let result = Head(
            response: Response(status: start.status, headers: head.headers),
            version: start.version,
            keepAlive: !reader.endsWithConnection && head.keepAlive(in: start.version))
        guard start.status != 101 else {
            state = .switched
            return .switched(result)
        }
        state = .body(reader)
        return .head(result)
    }

    private func bodyLength(_ status: Int, answersHead: Bool) -> BodyReader.Length {
        if answersHead || status < 200 || status == 204 || status == 304 { return .exactly(0) }
        if head.isChunked { return .chunked }
        if let length = head.contentLength { return .exactly(length) }
        return .untilClose
    }
}
