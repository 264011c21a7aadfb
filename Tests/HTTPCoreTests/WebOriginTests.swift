import Testing

@testable import HTTPCore

@Suite struct WebOriginTests {
    static let good = [
        ("http://localhost:3000", "http://localhost:3000"), ("HTTPS://Box.Example", "https://box.example"),
        ("http://box.example:80", "http://box.example"), ("https://box.example:443", "https://box.example"),
        ("https://box.example:80", "https://box.example:80"), ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://127.0.0.1", "http://127.0.0.1"), ("app://-", "app://-"), ("file://", "file://"),
        ("chrome-extension://abcdef", "chrome-extension://abcdef"), ("web+app://a_b", "web+app://a_b"),
        ("http://localhost:65535", "http://localhost:65535"),
    ]

    @Test(arguments: good) func `an origin is a scheme, a host and a port`(text: String, normal: String) {
        #expect(WebOrigin(parsing: text)?.description == normal)
    }

    @Test(arguments: [
        "", "null", "localhost", "localhost:3000", "http:localhost", "http:/localhost", "http://", "http://:80",
        "http://localhost/", "ws://localhost//", "ws://localhost/x", "http://localhost:3000/x",
        "http://localhost:3000?x", "http://a b", "http://user@host",
        "http://localhost:80@evil.example", "http://localhost:x", "http://localhost:", "http://localhost:0",
        "http://localhost:65536", "http://[::1", "http://[]", "http://[::1]x", "http://::1", "file://host", "//host",
        "1http://host", "ht tp://host", "http://h\u{e9}", "http://*.example", "*",
    ]) func `anything else is not an origin`(text: String) {
        #expect(WebOrigin(parsing: text) == nil)
    }

    static let servers: [(origin: String, authority: String, isServed: Bool)] = [
        ("http://localhost:2197", "localhost:2197", true), ("https://localhost:2197", "LOCALHOST:2197", true),
        ("http://localhost", "localhost", true), ("http://localhost", "localhost:80", true),
        ("https://localhost", "localhost:443", true), ("http://localhost", "localhost:443", false),
        ("http://localhost:2197", "localhost", false), ("http://localhost:2197", "localhost:3000", false),
        ("http://localhost:2197", "127.0.0.1:2197", false), ("app://localhost:2197", "localhost:2197", false),
        ("file://", "", false), ("ws://127.0.0.1:2197/", "127.0.0.1:2197", true),
        ("wss://localhost/", "localhost", true), ("ws://localhost:2197/", "evil.example:2197", false),
    ]

    @Test(arguments: servers) func `a page is the gateway's own at the same host and port`(
        row: (origin: String, authority: String, isServed: Bool)
    ) {
        #expect(WebOrigin(parsing: row.origin)?.isServed(by: row.authority) == row.isServed)
    }
}
