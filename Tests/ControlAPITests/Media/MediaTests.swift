import Devices
import HTTPCore
import JSON
import PushEngine
import Testing

@testable import ControlAPI

struct MediaTests {
    private let host = TestHost()
    /// As a query has it.
    private static let encoded = "https://e.com/b.jpg%3Fx%3D1%26y%3D%C3%BC"
    private static let url = JSONValue.string("https://e.com/b.jpg?x=1&y=ü")

    @Test func `a URL gets content, shows it, and loses it`() throws {
        let whole: JSONValue = ["url": Self.url, "contentType": "image/jpeg", "status": 404, "size": 5, "delay": "3s"]
        try host.ask(.put, "/media", whole, status: 204)
        try host.ask(.put, "/media", ["url": "https://a.example", "base64": "AAAAAA=="], status: 204)
        let other: JSONValue = [
            "url": "https://a.example", "contentType": "application/octet-stream", "status": 200, "size": 4,
            "delay": "0s",
        ]
        #expect(try host.ask(.get, "/media") == ["media": [other, whole], "next": nil])
        #expect(try host.ask(.get, "/media?limit=1") == ["media": [other], "next": "1"])
        #expect(try host.ask(.get, "/media?limit=1&cursor=1") == ["media": [whole], "next": nil])
        // The same URL again replaces the content.
        try host.ask(.put, "/media", ["url": Self.url, "size": nil, "delay": "250ms"], status: 204)
        let replaced: JSONValue = [
            "url": Self.url, "contentType": "image/jpeg", "status": 200, "size": 0, "delay": "250ms",
        ]
        #expect(try host.ask(.get, "/media").at("media") == [other, replaced])
        try host.ask(.delete, "/media?url=\(Self.encoded)", status: 204)
        let missing = TestHost.Problem(status: 404, code: "notFound", pointer: nil)
        #expect(try host.problem(.delete, "/media?url=\(Self.encoded)") == missing)
        #expect(try host.ask(.get, "/media").at("media") == [other])
        try host.ask(.delete, "/media", status: 204)
        #expect(try host.ask(.get, "/media").at("media") == [])
    }

    @Test(
        arguments: [
            ("https://a.example/b.PNG", "image/png"), ("https://a.example/b.gif?c=.mp4", "image/gif"),
            ("https://a.example/b.mp4", "video/mp4"), ("https://a.example/b", "application/octet-stream"),
            ("https://a.png", "application/octet-stream"),
        ]) func `without a type, the name of the file says it`(url: String, type: String) throws
    {
        try host.ask(.put, "/media", ["url": .string(url), "size": 7], status: 204)
        #expect(try host.ask(.get, "/media").at("media").elements.first?.at("contentType") == .string(type))
        // The content is what counts if it is given.
        try host.ask(.put, "/media", ["url": .string(url), "base64": "AAAA"], status: 204)
        let unknown: JSONValue = "application/octet-stream"
        #expect(try host.ask(.get, "/media").at("media").elements.first?.at("contentType") == unknown)
    }

    /// Base64, and the number of bytes that it stands for; nil if it is refused.
    static let base64: [(String, Int64?)] = [
        ("", 0), ("AAAA", 3), ("AAA=", 2), ("AA==", 1), ("+/09", 3), ("azAZ", 3), ("A", nil), ("A===", nil),
        ("=AAA", nil),
        ("AA=A", nil), ("AAA", nil), ("AA*A", nil), ("AA_-", nil), ("AA A", nil), ("====", nil),
    ]

    @Test(arguments: base64)
    func `content is given as base64`(_ text: String, _ size: Int64?) throws {
        let body: JSONValue = ["url": "x", "base64": .string(text)]
        guard let size else {
            #expect(try host.problem(.put, "/media", body) == .init(status: 400, code: "badField", pointer: "/base64"))
            return
        }
        try host.ask(.put, "/media", body, status: 204)
        #expect(try host.ask(.get, "/media").at("media", 0, "size") == .int(size))
    }

    static let refusals: [(JSONValue, String)] = [
        ([:], "/url"), (["url": ""], "/url"), (["url": 7], "/url"),
        (["url": .string(String(repeating: "x", count: 2049))], "/url"),
        (["url": "x", "size": -1], "/size"), (["url": "x", "size": 1_099_511_627_777], "/size"),
        (["url": "x", "size": "1"], "/size"),
        (["url": "x", "size": 1, "base64": "AA=="], "/base64"), (["url": "x", "base64": 7], "/base64"),
        (["url": "x", "status": 99], "/status"),
        (["url": "x", "status": 600], "/status"), (["url": "x", "delay": "soon"], "/delay"),
        (["url": "x", "delay": "721h"], "/delay"),
        (["url": "x", "contentType": .string(String(repeating: "x", count: 257))], "/contentType"),
        (["url": "x", "contentType": 1], "/contentType"),
        (["url": "x", "type": "image/png"], "/type"),
    ]

    @Test(arguments: refusals)
    func `bad content is refused with the place of the error`(_ body: JSONValue, _ pointer: String) throws {
        #expect(try host.problem(.put, "/media", body) == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try host.ask(.get, "/media") == ["media": [], "next": nil])
    }

    @Test func `there are at most 10,000 URLs`() throws {
        for number in 1...10_000 {
            host.box.engine.setMedia(.init(status: 200, contentType: "", size: 0, delay: 0), for: "\(number)")
        }
        #expect(try host.problem(.put, "/media", ["url": "x"]) == .init(status: 409, code: "conflict", pointer: nil))
        try host.ask(.put, "/media", ["url": "7", "size": 9], status: 204)
        try host.ask(.delete, "/media?url=8", status: 204)
        try host.ask(.put, "/media", ["url": "x"], status: 204)
    }

    /// What the URL has, how the app's extension fares with it, and whether the image is shown.
    static let images: [(JSONValue?, String, Bool)] = [
        (nil, "skipped", false), (["contentType": "image/png", "size": 2_000_000], "attached", true),
        (["contentType": "image/png", "size": 20_000_000], "failed", false),
        (["base64": "iVBORw0KGgo="], "attached", true),
        // What is not an image, and the page of an error, unless it is said to be an image.
        (["contentType": "image/png", "base64": "PGh0bWw+"], "failed", false),
        (["contentType": "image/png", "base64": ""], "failed", false), (["status": 404], "failed", false),
        (["contentType": "image/png", "status": 404], "failed", false),
        (["contentType": "image/png", "status": 404, "size": 100], "attached", true),
    ]

    @Test(arguments: images)
    func `a phone gets the content when it fetches the URL`(_ media: JSONValue?, _ outcome: String, _ isShown: Bool)
        throws
    {
        let phone = try host.makeDevice("ios", ["extension": ["script": "firebase"]])
        let url: JSONValue = ["url": "https://e.com/a.png"]
        if let media { try host.ask(.put, "/media", url.merging(media), status: 204) }
        let payload: JSONValue = [
            "aps": ["alert": ["title": "T"], "mutable-content": 1], "fcm_options": ["image": "https://e.com/a.png"],
        ]
        #expect(host.push(to: token(of: phone), body: payload).status == 200)
        let attachments = try host.events("kind=attachment")
        #expect(attachments.map { $0.at("data", "outcome").text } == [outcome])
        let presented = try host.events("kind=presented")
        #expect(presented.map { $0.at("data").keys.contains("image") } == [isShown])
    }
}
