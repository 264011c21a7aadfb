package import HTTPCore

/// Writes the response to one request: interim responses, then a head and a body, which may be sent in pieces.
///
/// The encoder decides how the body is framed. It drops the response's own `content-length`, `transfer-encoding` and
/// `connection` fields, except the `connection` of a 101 or a 426.
package struct ResponseEncoder: Sendable {
    /// What was written last, and how the body is sent.
    private enum State {
        case beforeHead
        case chunks
        /// The body is sent without framing and ends when the connection closes.
        case untilClose
        /// The body is not sent: the request was HEAD, or the status does not allow one.
        case dropped
        case ended
    }

    private let method: Method
    private let version: HTTPVersion
    private let keepAlive: Bool
    private var state = State.beforeHead

    /// The connection must be closed after this response.
    package private(set) var mustClose: Bool

    /// - Parameters:
    ///   - method: the request's method; `.other` if it could not be read.
    ///   - version: the request's version; `.http11` if it could not be read.
    ///   - keepAlive: both client and server want to keep the connection open after this response.
    package init(answering method: Method, version: HTTPVersion, keepAlive: Bool) {
        self.method = method
        self.version = version
        self.keepAlive = keepAlive
        mustClose = !keepAlive
    }

    /// Appends `HTTP/1.1 100 Continue`. Do not send it to HTTP/1.0 clients, which never expect it.
    package static func continue100(into output: inout [UInt8]) {
        output.append(text: "HTTP/1.1 100 Continue\r\n\r\n")
    }

    /// Appends the head, and the body if it is `.bytes`. After a `.stream` body, call `chunk` and then `end`.
    ///
    /// - Parameter date: the value of the Date field, used if the response does not have that field.
    package mutating func respond(with response: Response, date: [UInt8]? = nil, into output: inout [UInt8]) {
        if let body = begin(response, date: date, into: &output) { output.append(contentsOf: body) }
    }

    /// Like `respond`, but does not copy the body: returns what the caller has to send next.
    package mutating func begin(_ response: Response, date: [UInt8]?, into output: inout [UInt8]) -> [UInt8]? {
        let status = response.status
        guard case .beforeHead = state else { preconditionFailure("a second response, with status \(status)") }
        precondition((100...999).contains(status), "invalid status \(status)")
        output.reserveCapacity(output.count + 128 + response.headers.listSize)
        output.append(text: "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n")
        if let date, response.headers.first(.date) == nil {
            output.append(field: HeaderName.date.bytes[...], date[...])
        }
        appendFields(of: response, into: &output)
        appendFraming(of: response, into: &output)
        output.appendLineEnd()
        guard case .bytes(let bytes) = response.body, sendsBody(status) else { return nil }
        guard case .chunks = state else { return bytes }
        chunk(bytes[...], into: &output)
        end(into: &output)
        return nil
    }

    /// Appends a piece of a `.stream` body. An empty piece writes nothing.
    package func chunk(_ data: ArraySlice<UInt8>, into output: inout [UInt8]) {
        switch state {
        case .chunks:
            guard !data.isEmpty else { return }
            output.append(text: String(data.count, radix: 16))
            output.appendLineEnd()
            output.append(contentsOf: data)
            output.appendLineEnd()
        case .untilClose: output.append(contentsOf: data)
        case .dropped: break
        case .beforeHead, .ended: preconditionFailure("\(data.count) bytes of body without a .stream head")
        }
    }

    /// Ends a `.stream` body. If `mustClose` is set, the caller must also close the connection.
    package mutating func end(into output: inout [UInt8]) {
        switch state {
        case .chunks: output.append(text: "0\r\n\r\n")
        case .untilClose, .dropped: break
        case .beforeHead, .ended: preconditionFailure("the end of a body without a .stream head")
        }
        state = .ended
    }

    private func appendFields(of response: Response, into output: inout [UInt8]) {
        for (name, value) in response.headers {
            switch KnownField(name) {
            case .contentLength, .transferEncoding: continue
            case .connection where response.status != 101 && response.status != 426: continue
            case .connection, .expect, .host, .upgrade, nil:
                output.append(field: name, value)
            }
        }
    }

    private mutating func appendFraming(of response: Response, into output: inout [UInt8]) {
        let status = response.status
        if status < 200 {
            if status == 101 { state = .ended }
            return
        }
        switch response.body {
        case .none: appendLength(0, status, into: &output)
        case .bytes where response.hidesLength && version == .http11: appendStream(status, into: &output)
        case .bytes(let bytes): appendLength(bytes.count, status, into: &output)
        case .stream: appendStream(status, into: &output)
        }
        if mustClose {
            output.append(field: .connection, "close")
        } else if version == .http10 {
            output.append(field: .connection, "keep-alive")
        }
    }

    private mutating func appendLength(_ count: Int, _ status: Int, into output: inout [UInt8]) {
        state = .ended
        if allowsBody(status) { output.append(field: .contentLength, String(count)) }
    }

    private mutating func appendStream(_ status: Int, into output: inout [UInt8]) {
        state = .dropped
        guard allowsBody(status) else { return }
        if version == .http10 {
            guard sendsBody(status) else { return }
            state = .untilClose
            mustClose = true
        } else {
            output.append(field: .transferEncoding, "chunked")
            if sendsBody(status) { state = .chunks }
        }
    }

    private func allowsBody(_ status: Int) -> Bool { status >= 200 && status != 204 && status != 304 }

    private func sendsBody(_ status: Int) -> Bool { method != .head && allowsBody(status) }
}
