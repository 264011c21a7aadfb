package import HTTPCore

/// The events of a connection, reported in order.
package enum HTTP2Event: Sendable {
    /// A request is complete, or its body exceeded the limit and the rest is discarded.
    case request(StreamID, Request)
    /// A stream was closed after its request was delivered and before it had a complete answer.
    case closed(StreamID, HTTP2ErrorCode)
    /// A header list exceeded the advertised size; the block has the fields that came before the limit was reached. The
    /// stream must still be answered or reset.
    case headersTooLarge(StreamID, HeaderBlock)
    /// The peer has acknowledged the oldest unacknowledged SETTINGS frame.
    case settingsAcknowledged
    /// The peer sent GOAWAY and will not open more streams.
    case goAwayReceived
}

/// nghttp2 reported an error that ends the connection.
package struct HTTP2Failure: Error, CustomStringConvertible {
    package let code: Int32
    package let description: String
    /// The first bytes were not the client's preface.
    package let isBadPreface: Bool
}
