package import HTTPCore

extension RequestParser {
    /// A request without its body, and what its fields mean for the connection.
    package struct Head: Sendable {
        /// The fields are `:method` and `:path`, then `:authority` if the target was an absolute URL, then the header
        /// fields in order. CONNECT has `:authority` and no `:path`. The body is still empty.
        package let request: Request
        /// The client may send another request on this connection.
        package let keepAlive: Bool
        /// The client waits for `100 Continue` before it sends the body. Always false without a body and in HTTP/1.0.
        package let expectsContinue: Bool
        /// The values of all Upgrade fields as one list, in lower case. Nil in HTTP/1.0, and if the Connection field
        /// does not list `upgrade`.
        package let upgrade: [UInt8]?
        /// The request has a body: it is chunked, or its Content-Length is not 0.
        package let hasBody: Bool
        /// The value of Content-Length.
        package let contentLength: Int?

        /// Whether the Upgrade field offers `name`, with or without a version. `name` must be in lower case.
        package func offersUpgrade(to name: String) -> Bool {
            guard let upgrade else { return false }
            for element in ListElements(upgrade[...]) {
                if element.prefix(while: { $0 != UInt8(ascii: "/") }).equalsIgnoringCase(name) { return true }
            }
            return false
        }
    }
}
