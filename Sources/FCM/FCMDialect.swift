package import HTTPCore

/// Google's side. Its send API is the next issue's; what no Google path answers is answered already.
package struct FCMDialect: Sendable {
    package init() {}

    /// The longest body of any Google path.
    package static let bodyLimit = 1 << 20

    /// A path that will be served: `/v1/projects/…`, `/token`, `/iid/…`.
    package static func isKnown(_ path: ArraySlice<UInt8>) -> Bool {
        path.starts(with: Array("/v1/projects/".utf8)) || path.starts(with: Array("/iid/".utf8))
            || path.elementsEqual("/token".utf8) || path.elementsEqual("/fcm/send".utf8)
    }

    package func answer(_ request: Request) -> Response {
        guard Self.isKnown(request.path) else { return notFound(request) }
        let message = "Pushpit does not speak this part of Google's API yet."
        return Response(
            status: 501, contentType: "application/json; charset=UTF-8",
            text: """
                {
                  "error": {
                    "code": 501,
                    "message": "\(message)",
                    "status": "UNIMPLEMENTED"
                  }
                }

                """)
    }

    /// What a path Google does not know answers: a page, not JSON. Its wording is ours, its title Google's.
    private func notFound(_ request: Request) -> Response {
        var path = ""
        for scalar in String(decoding: request.path, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "<": path += "&lt;"
            case ">": path += "&gt;"
            case "&": path += "&amp;"
            case "\"": path += "&quot;"
            default: path.unicodeScalars.append(scalar)
            }
        }
        return Response(
            status: 404, contentType: "text/html; charset=UTF-8",
            text: """
                <!DOCTYPE html>
                <html lang=en>
                  <meta charset=utf-8>
                  <title>Error 404 (Not Found)!!1</title>
                  <p><b>404.</b> <ins>That’s an error.</ins>
                  <p>The requested URL <code>\(path)</code> was not found on this server.

                """)
    }
}
