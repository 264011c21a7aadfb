/// Why a response could not be read. The rest of the connection cannot be read either.
package enum BadResponse: Error, Equatable, Sendable {
    case statusLine
    case version
    /// An error that requests can have too. Ignore its status.
    case message(Refusal)
    /// The server closed the connection before the response was complete.
    case closedEarly

    package var reason: String {
        switch self {
        case .statusLine:
            "The response does not start with “HTTP/1.1”, a three-digit status and a reason phrase; "
                + "is this an HTTP/1 server?"
        case .version: "The response is not HTTP/1.x; connect with the version that the server speaks."
        case .message(let refusal): refusal.reason
        case .closedEarly: "The server closed the connection in the middle of its response; see the server's log."
        }
    }
}
