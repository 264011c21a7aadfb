/// A response, before a codec encodes it for one version of HTTP.
package struct Response: Sendable {
    package var status: Int
    package var headers: HeaderBlock
    package var body: Body
    /// Send no `content-length` if the version of HTTP allows that: HTTP/1.1 sends the body as one chunk.
    package var hidesLength = false
    /// The body is a constant of the program, so a copy that waits for the peer needs no memory.
    package var isConstant = false

    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// The bytes are sent later, in pieces, until the stream is finished.
        case stream
    }

    package init(status: Int, headers: HeaderBlock = HeaderBlock(), body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int, contentType: String, text: String) {
        self.init(
            status: status, headers: HeaderBlock([.contentType: contentType]), body: .bytes(Array(text.utf8)))
    }
}
