/// Why a response could not be read; nothing of the connection can be read after it.
package enum BadResponse: Error, Equatable, Sendable {
    case statusLine
    case version
    /// A fault that requests can have too; its status means nothing here.
    case message(Refusal)
    /// The peer closed before the response was whole.
    case closedEarly

    package var reason: String {
        switch self {
        case .statusLine:
            "The answer does not start with “HTTP/1.1”, a status of three digits and a phrase; "
                + "is this an HTTP/1 server?"
        case .version: "The answer is of another HTTP than 1.x; use its own protocol."
        case .message(let refusal): refusal.reason
        case .closedEarly: "The server closed the connection in the middle of its answer; see its log."
        }
    }
}
