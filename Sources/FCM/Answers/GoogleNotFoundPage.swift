package import HTTPCore

/// Google's answers for paths that it does not serve, or no longer serves (docs/evidence/fcm.md §1.1, §7.3).
package enum GoogleNotFoundPage {
    /// The answer on the paths of the discontinued API (quoted).
    static let deprecated = Response(
        status: 404, contentType: "application/json; charset=UTF-8",
        text: #"{"error":"Deprecated endpoint, see https://firebase.google.com/docs/cloud-messaging/migrate-v1"}"#)

    /// The answer for unknown paths, which is HTML and not JSON. The title is Google's, but the text is ours.
    package static func notFound(_ request: Request) -> Response {
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
        return page(404, "Not Found", "The requested URL <code>\(path)</code> was not found on this server.")
    }

    /// The answer of Google's front end to a request that it cannot read. The title and the sentence are Google's; that
    /// a broken gzip body gets them is assumed.
    package static let malformed = page(400, "Bad Request", "Your client has issued a malformed or illegal request.")

    /// An HTML error page. The title and the sentence are Google's (quoted); the rest is ours.
    static func page(_ status: Int, _ title: String, _ sentence: String) -> Response {
        Response(
            status: status, contentType: "text/html; charset=UTF-8",
            text: """
                <!DOCTYPE html>
                <html lang=en>
                  <meta charset=utf-8>
                  <title>Error \(status) (\(title))!!1</title>
                  <p><b>\(status).</b> <ins>That’s an error.</ins>
                  <p>\(sentence)

                """)
    }
}
