package import HTTPCore

/// The events of a connection, reported in order.
package enum HTTP2Event: Sendable {
    /// A request is complete, or its body exceeded the limit and the rest is discarded.
    case request(StreamID, Request)
    /// A stream was closed after its request was delivered and before it had a complete answer.
    case closed(StreamID, HTTP2ErrorCode)
    /// A header list exceeded the advertised size; the block has the fields before that. The stream must still be
    /// answered or reset.
    case headersTooLarge(StreamID, HeaderBlock)
    /// The peer has acknowledged the oldest unacknowledged SETTINGS frame.
    case settingsAcknowledged
    /// The peer sent GOAWAY and will not open more streams.
    case peerGoesAway
}

package typealias StreamID = Int32

/// The error codes of RFC 9113 §7. A peer may also send other numbers.
package struct HTTP2ErrorCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2ErrorCode(rawValue: 0)
    package static let protocolError = HTTP2ErrorCode(rawValue: 1)
    package static let internalError = HTTP2ErrorCode(rawValue: 2)
    package static let streamClosed = HTTP2ErrorCode(rawValue: 5)
    package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    package static let cancel = HTTP2ErrorCode(rawValue: 8)
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
}

/// nghttp2 reported an error that ends the connection.
package struct HTTP2Failure: Error, CustomStringConvertible {
    package let code: Int32
    package let description: String
    /// The first bytes were not the client's preface.
    package let isBadPreface: Bool
}
