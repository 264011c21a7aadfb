/// Why a step of a test could not be done.
public struct TestFailure: Error, CustomStringConvertible {
    public enum Cause: Sendable, Equatable {
        /// The answer or message did not come. Embedded, it will not come by itself; live, the time was up.
        case nothingCame
        /// The gateway reset the stream with this error code (RFC 9113 §7).
        case reset(UInt32)
        /// The gateway ended the connection.
        case ended
        /// The pushes or events that were expected did not come, or too many came.
        case unmet
        /// The text is not JSON.
        case notJSON
        /// The gateway's bytes break the protocol.
        case badBytes
        /// The gateway could not be started.
        case notStarted
        /// An embedded gateway has no TLS, and a live one no loop time to move.
        case impossibleHere
    }

    public let cause: Cause
    public let description: String

    init(_ cause: Cause, _ description: String) {
        self.cause = cause
        self.description = description
    }
}
