internal import HTTP2

/// One thing that a fault does to a request, or to the connection it came on.
enum FaultEffect: Sendable {
    /// Answer this instead of the truth.
    case answer(Answer)
    /// Let the answer, or what is done instead of it, wait.
    case delay(milliseconds: UInt64)
    /// Never answer.
    case silence
    /// RST_STREAM instead of an answer; several, one after the other.
    case reset([HTTP2ErrorCode])
    /// GOAWAY, and the end of the connection.
    case goAway(GoAway)
    /// The end of the connection, without a word of HTTP/2.
    case close(Closing)
    /// The connection stays open and is dead: nothing is read, nothing is said, not even to a PING.
    case blackHole
    /// SETTINGS with another stream limit, before the answer.
    case streamLimit(UInt32)
    /// So many deliveries to the device: what is said to the provider does not matter.
    case deliver(Int)
    /// The same for every later request of the connection.
    case sticky
    /// In the handshake, before there is a request.
    case tls(Handshake)

    struct Answer: Sendable {
        let status: Int
        /// The vendor's word, in the vendor's form.
        var reason: String?
        /// An answer of Google's by name, which has its own status.
        var recorded: String?
        /// A whole body instead.
        var body: [UInt8]?
        var contentType: String?
        var headers: [(name: String, value: String)] = []
    }

    struct GoAway: Sendable {
        let code: HTTP2ErrorCode
        let debug: String
        var last = Last.request
        var times = 1

        /// The last stream that the GOAWAY says was served.
        enum Last: String, Sendable, CaseIterable {
            /// The newest that was answered; the request's own is answered first.
            case request
            /// The same, and the request itself stays without an answer.
            case before
            /// None at all.
            case none
        }
    }

    enum Closing: String, Sendable, CaseIterable {
        case end, reset
    }

    enum Handshake: String, Sendable, CaseIterable {
        /// A fatal alert instead of a handshake.
        case alert
        /// A certificate by an authority that nobody has heard of.
        case rotated
    }
}
