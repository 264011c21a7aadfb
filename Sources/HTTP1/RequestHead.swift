package import HTTPCore

extension RequestParser {
    /// A request up to its body, and what its fields ask of the connection.
    package struct Head: Sendable {
        /// `:method` and `:path` first, `:authority` behind them where the target was an absolute URL; then
        /// the fields in their order. The body is empty yet.
        package let request: Request
        /// The client wants to send another request on this connection.
        package let keepAlive: Bool
        /// The client holds the body back until it hears `100 Continue`. Never true without a body, nor in
        /// HTTP/1.0.
        package let expectsContinue: Bool
        /// What the Upgrade fields list, in lower case, where Connection asks for it too. Nil in HTTP/1.0.
        package let upgrade: [UInt8]?
        /// A body follows that is chunked or longer than nothing.
        package let hasBody: Bool
        /// What Content-Length said.
        package let contentLength: Int?

        /// Whether Upgrade offers `name`, which is in lower case, with or without a version.
        package func offersUpgrade(to name: String) -> Bool {
            guard let upgrade else { return false }
            for element in ListElements(upgrade[...]) {
                if element.prefix(while: { $0 != UInt8(ascii: "/") }).isWord(name) { return true }
            }
            return false
        }
    }
}
