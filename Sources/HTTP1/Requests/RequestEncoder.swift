package import HTTPCore

/// Writes complete requests, for the command line client and for tests.
package enum RequestEncoder {
    /// Appends the head and the body.
    ///
    /// A missing `host` is taken from `:authority`. The request's own `content-length` and `transfer-encoding` are
    /// dropped: `content-length` is computed, and `transfer-encoding` is never sent.
    package static func append(_ request: Request, into output: inout [UInt8]) {
        let headers = request.headers
        let method = headers.first(.method) ?? []
        let target = request.target
        precondition(
            FieldSyntax.isName(method) && !target.isEmpty && target.allSatisfy(\.isVisible),
            "a method of \(method.count) bytes and a target of \(target.count) bytes are not a request line")
        output.append(contentsOf: method)
        output.append(.space)
        output.append(contentsOf: target)
        output.append(text: request.version == .http10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
        if headers.first(.host) == nil, let authority = request.authority {
            output.append(field: HeaderName.host.bytes[...], authority)
        }
        for (name, value) in headers where name.first != UInt8(ascii: ":") {
            switch KnownField(name) {
            case .contentLength, .transferEncoding: continue
            case .connection, .expect, .host, .upgrade, nil:
                output.append(field: name, value)
            }
        }
        if !request.body.isEmpty || [.post, .put, .patch].contains(request.method) {
            output.append(field: .contentLength, String(request.body.count))
        }
        output.appendLineEnd()
        output.append(contentsOf: request.body)
    }
}
