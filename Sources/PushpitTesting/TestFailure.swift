/// Why a step of a test failed.
public struct TestFailure: Error, CustomStringConvertible {
    public enum Cause: Sendable, Equatable {
        /// The answer or message did not arrive. A live gateway had a few seconds to send it.
        case nothingArrived
        /// The gateway reset the stream with this error code (RFC 9113 §7).
        case reset(UInt32)
        /// The gateway ended the connection.
        case ended
        /// An expectation was not met, for example because too few or too many pushes arrived.
        case notMet
        /// The text is not JSON.
        case notJSON
        /// The gateway's bytes violate the protocol.
        case badBytes
        /// The gateway could not be started.
        case notStarted
        /// The step is impossible on this kind of gateway. For example, an embedded gateway has no TLS.
        case unsupportedHere
    }

    public let cause: Cause
    public let description: String

    init(_ cause: Cause, _ description: String) {
        self.cause = cause
        self.description = description
    }
}
