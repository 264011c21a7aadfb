import HTTPCore
import JSON
import PushCore
import Testing

@testable import Receivers

/// A client of Firebase: a web app.
struct FirebaseClient {
    static let now = Timestamp(milliseconds: 1_790_000_000_000)
    static let point = Base64URL.encode([4] + [UInt8](repeating: 7, count: 64))
    static let secret = Base64URL.encode([UInt8](repeating: 9, count: 16))

    var book = FirebaseBook(seed: 1, isPoint: { $0.count == 65 })
    var fid = "diGlUGX5cd7h6-sA6NmyX0"
    var refreshToken = ""
    var authToken = ""
    /// The API key.
    var key: String? = "any"

    mutating func call(
        _ method: Method, _ path: String, _ body: String = "", _ fields: [(String, String)] = [],
        at now: Timestamp = now
    ) throws -> (status: Int, body: JSONView) {
        var headers = HeaderBlock([.method: method.rawValue, .path: "/v1/projects/shop/\(path)"])
        if let key { headers.append(HeaderName("x-goog-api-key"), key) }
        for (name, value) in fields { headers.append(HeaderName(name), value) }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(body.utf8)
        let answer = book.answer(request, at: now) { $0 == "sub:1" || $0 == "sub:9" }
        guard case .bytes(let bytes) = answer.body else {
            return (answer.status, try JSONDocument(parsing: []).root)
        }
        return (answer.status, try JSONDocument(parsing: bytes).root)
    }

    mutating func takeNews() -> [ReceiverNews] {
        defer { book.news = [] }
        return book.news
    }

    mutating func install() throws -> JSONView {
        let answer = try call(
            .post, "installations", #"{"fid":"\#(fid)","authVersion":"FIS_v2","appId":"1:2:web:3"}"#)
        #expect(answer.status == 200)
        fid = answer.body["fid"]?.string ?? ""
        refreshToken = answer.body["refreshToken"]?.string ?? ""
        authToken = answer.body["authToken"]?["token"]?.string ?? ""
        return answer.body
    }

    mutating func register(
        _ method: Method = .post, _ path: String = "registrations", web: String? = nil, auth: String? = nil,
        at now: Timestamp = now
    ) throws -> (status: Int, body: JSONView) {
        let web =
            web
            ?? #""endpoint":"https://fcm.googleapis.com/fcm/send/sub:1","p256dh":"\#(Self.point)=","auth":"\#(Self.secret)""#
        return try call(
            method, path, #"{"web":{\#(web)}}"#,
            [("x-goog-firebase-installations-auth", auth ?? "FIS \(authToken)")], at: now)
    }
}
