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

/// nghttp2 would not go on with this connection.
package struct HTTP2Failure: Error, CustomStringConvertible {
    package let code: Int32
    package let description: String
    /// The first bytes were not the client's preface.
    package let isBadPreface: Bool
}
