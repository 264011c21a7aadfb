import Devices
import HTTPCore
import JSON
import PushEngine
import Testing

@testable import ControlAPI

/// `GET /media/content`.
struct MediaContentTests {
    private let host = TestHost()
    private static let url = "https://e.com/a.png"
    private static let path = "/media/content?url=https://e.com/a.png"

    private func set(_ media: JSONValue) throws {
        let url: JSONValue = ["url": .string(Self.url)]
        try host.ask(.put, "/media", url.merging(media), status: 204)
    }

    static let types: [(String?, String)] = [
        ("image/png", "image/png"), ("Image/SVG+xml; charset=utf-8", "image/svg+xml"), ("audio/mpeg", "audio/mpeg"),
        ("video/mp4", "video/mp4"), ("text/html", "application/octet-stream"), (nil, "application/octet-stream"),
        ("image/", "application/octet-stream"), ("image", "application/octet-stream"),
        ("image/png/x", "application/octet-stream"), ("image/p\r\nset-cookie: a=b", "application/octet-stream"),
        ("text/html;image/png", "application/octet-stream"), ("image/ü", "application/octet-stream"),
    ]

    @Test(arguments: types) func `bytes of the table are shown as a picture at most`(_ type: String?, _ shown: String)
        throws
    {
        try set(["base64": "PHNjcmlwdD4=", "contentType": type.map { .string($0) } ?? .null])
        let answer = try host.call(.get, Self.path)
        #expect(answer.status == 200 && answer.text == "<script>" && answer.contentType == shown)
        #expect(answer.header("content-security-policy") == "sandbox; default-src 'none'")
        #expect(answer.header("x-content-type-options") == "nosniff")
    }

    @Test func `an entry without bytes, or with another status, is a conflict that says what the table has`() throws {
        let conflict = TestHost.Problem(status: 409, code: "conflict", pointer: nil)
        for (media, text): (JSONValue, String) in [
            (["size": 20_000], "20000 bytes"), (["status": 404, "base64": "AAAA"], "status 404"),
            (["status": 204], "status 204"),
        ] {
            try set(media)
            let problem = try host.problem(.get, Self.path)
            #expect(problem == conflict)
            #expect(problem.message.contains(text) && problem.message.contains(Self.url), "\(problem.message)")
        }
    }

    @Test func `a URL that is not in the table is fetched only if a push names it`() throws {
        let missing = TestHost.Problem(status: 404, code: "notFound", pointer: nil)
        #expect(try host.problem(.get, Self.path).message.contains("--fetch-media"))
        host.box.engine.fetchesMedia = true
        #expect(try host.problem(.get, Self.path) == missing)
        // Parts of other strings, keys and other cases do not name it.
        for text in ["see https://e.com/a.png", "https://e.com/a.png?x", "HTTPS://E.COM/A.PNG"] {
            host.push(body: ["aps": ["alert": "A"], "image": .string(text), "https://e.com/a.png": 1])
            #expect(try host.problem(.get, Self.path) == missing, "\(text)")
        }
        host.push(body: ["aps": ["alert": "A"], "fcm_options": ["image": "https://e.com/a.png"]])
        guard case .deferred(.file(let request)) = host.reply(.get, Self.path) else { throw Unexpected("not fetched") }
        #expect(request.url == Self.url && request.keepsContent && request.longest == 10_000_000)
        // The table comes first.
        try set(["base64": "AAAA", "contentType": "image/png"])
        #expect(try host.call(.get, Self.path).bytes == [0, 0, 0])
    }

    @Test func `a long URL is compared as a whole`() throws {
        host.box.engine.fetchesMedia = true
        let url = "https://e.com/" + String(repeating: "é", count: 500)
        host.push(body: ["aps": ["alert": "A"], "image": .string(url)])
        let path = "/media/content?url=https://e.com/" + String(repeating: "%C3%A9", count: 500)
        guard case .deferred(.file) = host.reply(.get, path) else { throw Unexpected("not fetched") }
        #expect(try host.problem(.get, path + "x").status == 404)
        let tooLong = "/media/content?url=" + String(repeating: "x", count: 2049)
        for path in ["/media/content", "/media/content?url=", tooLong] {
            #expect(try host.problem(.get, path) == .init(status: 400, code: "badQuery", pointer: nil))
        }
    }

    static let results: [(FetchResult, Int, String)] = [
        (.skipped("example.com is not this machine"), 409, "example.com is not this machine"),
        (.failed("connection refused"), 409, "connection refused"), (.timedOut, 409, "10 seconds"),
        (.received(file([0x89] + "PNG\r\n\u{1A}\n".utf8)), 200, "PNG"),
        (.received(file(Array("secret".utf8))), 409, "not an image"),
        (.received(file([0xFF, 0xD8, 0xFF], status: 403)), 409, "status 403"),
        (.received(file([0xFF, 0xD8, 0xFF], size: 10_000_001)), 409, "10000000 bytes"),
    ]

    private static func file(_ content: [UInt8], status: Int = 200, size: Int? = nil) -> Media {
        var media = Media(status: status, contentType: "image/png", size: size ?? content.count)
        media.format = MediaFormat(of: content)
        media.content = content
        return media
    }

    @Test(arguments: results) func `only images, sounds and videos that were fetched are shown`(
        _ result: FetchResult, _ status: Int, _ text: String
    ) {
        let answer = TestHost.Answer(MediaContent.response(to: result, at: Self.url))
        #expect(answer.status == status && answer.text.contains(text), "\(answer.text)")
    }

    @Test func `the contents have a limit together`() throws {
        var media = Media(contentType: "image/png", size: 1)
        media.content = [UInt8](repeating: 1, count: 32 << 20 - 3)
        host.box.engine.setMedia(media, for: "large")
        try set(["base64": "AAAA"])
        let problem = try host.problem(.put, "/media", ["url": "x", "base64": "AA=="])
        #expect(problem == .init(status: 409, code: "conflict", pointer: nil))
        #expect(problem.message.contains("33554432 bytes"))
        // Content that replaces other content of the same length fits, and so does an entry without content.
        try set(["base64": "AAAB"])
        try host.ask(.put, "/media", ["url": "x", "size": 9], status: 204)
        try host.ask(.delete, "/media?url=large", status: 204)
        try host.ask(.put, "/media", ["url": "x", "base64": "AA=="], status: 204)
        #expect(host.box.engine.media.byteCount == 4)
        try host.ask(.delete, "/media", status: 204)
        #expect(host.box.engine.media.byteCount == 0)
    }
}
