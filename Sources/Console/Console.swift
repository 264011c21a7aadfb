internal import Compression
package import HTTPCore

/// The console: a web page that shows what the control API knows. The page is the same for everybody and contains no
/// state, so it is served without the token. It asks for the token itself if the API wants one.
package enum Console {
    /// The answer to a request for `/`, or for a file below `/console/`; nil if there is no such file.
    package static func answer(_ request: Request) -> Response? {
        let path = String(decoding: request.path, as: UTF8.self)
        let isPage = path == "/"
        guard let name = isPage ? "index.html" : ConsoleFiles.name(at: path), let file = ConsoleFiles.all[name] else {
            return nil
        }
        // A file's path names its version, so a browser may keep it. The page itself names the newest version.
        var headers = HeaderBlock([
            .contentType: file.contentType, .etag: ConsoleFiles.tag,
            .cacheControl: isPage ? "no-cache" : "public, max-age=31536000, immutable",
            HeaderName("vary"): "accept-encoding",
        ])
        for (name, value) in protection { headers.append(HeaderName(name), value) }
        if hasNewest(request.headers) {
            return Response(status: 304, headers: headers)
        }
        let isCompressed = GzipMessage.isAccepted(by: request.headers)
        if isCompressed { headers.append(.contentEncoding, "gzip") }
        let body = isCompressed ? file.compressed : isPage ? ConsoleFiles.plainPage : file.plain
        var response = Response(status: 200, headers: headers, body: .bytes(body))
        response.isConstant = isCompressed || isPage
        return response
    }

    /// Whether the client already has this version: one of its entity tags is ours, or it sends `*` (RFC 9110 §13.1.2).
    private static func hasNewest(_ headers: HeaderBlock) -> Bool {
        guard let field = headers.first(.ifNoneMatch) else { return false }
        return String(decoding: field, as: UTF8.self).split(separator: ",").contains { tag in
            let tag = tag.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == ConsoleFiles.tag || "W/\(tag)" == ConsoleFiles.tag
        }
    }

    /// The page loads nothing from other servers, runs no script but its own files, and can't be shown in a frame.
    private static let protection = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
        ),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
    ]
}

extension HeaderName {
    static let etag = HeaderName("etag")
    static let ifNoneMatch = HeaderName("if-none-match")
    static let cacheControl = HeaderName("cache-control")
}
