package import HTTPCore

/// Writes the answer to one request: interim answers, then a head with or without a body, or a body in
/// pieces.
///
/// The encoder alone decides how the body is framed. `content-length`, `transfer-encoding` and `connection`
/// in a response's block are left out, but for the `connection` of a 101 or a 426.
package struct ResponseEncoder: Sendable {
    /// How the pieces of a body go out.
    private enum State {
        case beforeHead
        case chunks
        /// As they are, and the connection's end is theirs.
        case untilClose
        /// Not at all: the request was HEAD, or the status has no body.
        case dropped
        case ended
    }

    private let method: Method
    private let version: HTTPVersion
    private let keepAlive: Bool
    private var state = State.beforeHead

    /// The connection has to be closed when this answer is sent.
    package private(set) var mustClose: Bool

    /// - Parameters:
    ///   - method: the request's; `.other` where it could not be read.
    ///   - version: the request's; `.http11` where it could not be read.
    ///   - keepAlive: client and server both want to go on with the connection after this answer.
    package init(answering method: Method, version: HTTPVersion, keepAlive: Bool) {
        self.method = method
        self.version = version
        self.keepAlive = keepAlive
        mustClose = !keepAlive
    }

    /// Appends `HTTP/1.1 100 Continue`. Not for HTTP/1.0 clients, which never expect it.
    package static func continue100(into output: inout [UInt8]) {
        output.append(text: "HTTP/1.1 100 Continue\r\n\r\n")
    }

    /// Appends the head, and the body where it is `.bytes`. After `.stream`, `chunk` and `end` have to
    /// follow.
    ///
    /// - Parameter date: the Date field's value, where the block has none of its own.
    package mutating func respond(with response: Response, date: [UInt8]? = nil, into output: inout [UInt8]) {
        let status = response.status
        guard case .beforeHead = state else { preconditionFailure("a second answer, \(status)") }
        precondition((100...999).contains(status), "a status of \(status)")
        output.reserveCapacity(output.count + 128 + response.headers.listSize)
        output.append(text: "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n")
        if let date, response.headers.first(.date) == nil {
            output.append(field: HeaderName.date.bytes[...], date[...])
        }
        appendFields(of: response, into: &output)
        appendFraming(of: response, into: &output)
        output.appendLineEnd()
        guard case .bytes(let bytes) = response.body, sendsBody(status) else { return }
        guard case .chunks = state else { return output.append(contentsOf: bytes) }
        chunk(bytes[...], into: &output)
        end(into: &output)
    }

    /// Appends a piece of a `.stream` body; an empty one is nothing.
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
        case .beforeHead, .ended: preconditionFailure("\(data.count) octets of a body that no head announced")
        }
    }

    /// Ends a `.stream` body; where `mustClose` is set now, closing is what ends it.
    package mutating func end(into output: inout [UInt8]) {
        switch state {
        case .chunks: output.append(text: "0\r\n\r\n")
        case .untilClose, .dropped: break
        case .beforeHead, .ended: preconditionFailure("the end of a body that no head announced")
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
