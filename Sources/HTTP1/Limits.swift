/// How much of each part of a message is read before it is refused.
package struct Limits: Sendable {
    /// Octets in the request line or status line, without the line's end (default: 8 KiB). Over it: 414.
    package var startLine = 8 * 1024
    /// Octets in all header fields of a message, two counted for each line's end (default: 32 KiB). Over it:
    /// 431.
    package var headerBytes = 32 * 1024
    /// Header fields in a message (default: 100). Over it: 431.
    package var headerFields = 100
    /// Octets in a body, until `limitBody(to:)` says otherwise for a message (default: 1 MiB).
    package var body = 1024 * 1024
    /// Octets of an over-long body, chunk framing counted, that are read and thrown away so that the
    /// connection can be kept (default: 1 MiB).
    package var discard = 1024 * 1024
    /// Octets of chunk extensions in all of one body (default: 4 KiB).
    package var chunkExtensions = 4 * 1024
    /// Octets in all trailer fields, counted like the header's (default: 8 KiB). Over it: 431.
    package var trailerBytes = 8 * 1024
    /// Trailer fields (default: 32). Over it: 431.
    package var trailerFields = 32

    package init() {}
}
