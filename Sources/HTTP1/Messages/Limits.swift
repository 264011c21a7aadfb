/// The largest size of each part of a message. A message that exceeds one is refused, except that the surplus of a body
/// is discarded.
package struct Limits: Sendable {
    /// Bytes in the request line or status line, without the line end (default: 8 KiB). Above it: 414.
    package var startLine = 8 * 1024
    /// Bytes in all header fields of a message, including two for each line end (default: 32 KiB). Above it: 431.
    package var headerBytes = 32 * 1024
    /// Header fields in a message (default: 100). Above it: 431.
    package var headerFields = 100
    /// Bytes in a body, unless `limitBody(to:)` sets another limit for one request (default: 1 MiB).
    package var body = 1024 * 1024
    /// Bytes of a body over its limit, including chunk framing, that are read and discarded to keep the connection open
    /// (default: 1 MiB).
    package var discard = 1024 * 1024
    /// Bytes of chunk extensions in one body (default: 4 KiB).
    package var chunkExtensions = 4 * 1024
    /// Bytes in all trailer fields, counted like the header's (default: 8 KiB). Above it: 431.
    package var trailerBytes = 8 * 1024
    /// Trailer fields in a message (default: 32). Above it: 431.
    package var trailerFields = 32

    package init() {}
}
