package import HTTPCore

/// What Google answers where it serves nothing any more, or never did (facts/fcm.md §1.1, §7.3).
package enum GoogleNotFoundPage {
    /// Quoted.
    static let deprecated = Response(
        status: 404, contentType: "application/json; charset=UTF-8",
        text: #"{"error":"Deprecated endpoint, see https://firebase.google.com/docs/cloud-messaging/migrate-v1"}"#)

    /// A page, not JSON. Its wording is ours, its title Google's.
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

    /// As Google's front says that something is wrong: the title and the sentence are Google's (quoted), the rest is ours.
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
