package import HTTPCore

/// What has happened on a connection, in the order it did.
package enum HTTP2Event: Sendable {
    /// A request is whole, or its body went over the limit and no more of it is kept.
    case request(StreamID, Request)
    /// A stream whose request was handed out has ended, by our answer or otherwise.
    case closed(StreamID, HTTP2ErrorCode)
    /// A field list was over the advertised size: what came before. The stream is still to be answered or reset.
    case headersTooLarge(StreamID, HeaderBlock)
    /// The peer has acknowledged the oldest SETTINGS still open.
    case settingsAcknowledged
    /// The peer goes away; nothing new will come.
    case peerGoesAway
}

package typealias StreamID = Int32

/// The error codes of RFC 9113 §7; any other number a peer sends stays what it is.
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

/// nghttp2 would not go on with this connection.
package struct HTTP2Failure: Error, CustomStringConvertible {
    package let code: Int32
    package let description: String
    /// The first bytes were not the client's preface.
    package let isBadPreface: Bool
}
