/// What is answered to a request, before a codec gives it its version's shape.
package struct Response: Sendable {
    package var status: Int
    package var headers: HeaderBlock
    package var body: Body
    /// Its length is not told where a version of HTTP can do without: HTTP/1.1 sends it as a chunk.
    package var hidesLength = false

    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// The bytes follow, piece by piece, until the stream is finished.
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
