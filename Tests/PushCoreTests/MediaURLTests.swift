import PushCore
import Testing

@Suite struct MediaURLTests {
    static let rows: [(String, MediaURL.Fault?)] = [
        ("https://a.example/b.png", nil), ("http://a.example/b.JPEG", nil),
        ("HTTPS://a.example/x/y.z/b.m4v?q=1#f", nil),
        ("https://a.example:8443/b.gif", nil), ("https://u:p@a.example/b.mp3", nil), ("https://a.example/b%2Epng", nil),
        ("https://a.example/b.tar.png", nil), ("https://a.example/%C3%A9.avi", nil), ("https://[::1]/b.wav", nil),
        ("", .notAbsolute), ("b.png", .notAbsolute), ("/b.png", .notAbsolute), ("//a.example/b.png", .notAbsolute),
        ("ftp://a.example/b.png", .notAbsolute), ("file:///b.png", .notAbsolute), ("https:///b.png", .notAbsolute),
        ("https://:80/b.png", .notAbsolute), ("https://a.example/b c.png", .notAbsolute),
        ("https:a.example/b.png", .notAbsolute),
        ("https://a.png", .noExtension), ("https://a.example", .noExtension), ("https://a.example/", .noExtension),
        ("https://a.example/b", .noExtension), ("https://a.example/b?c=d.png", .noExtension),
        ("https://a.example/b#d.png", .noExtension), ("https://a.example/.png", .noExtension),
        ("https://a.example/b.", .noExtension), ("https://a.example/b.png/", .noExtension),
        ("https://a.example/b.webp", .unknownExtension("webp")),
        ("https://a.example/b.png.exe", .unknownExtension("exe")),
        ("https://a.example/b.png%00", .unknownExtension("png\0")), ("https://a.example/b.p%6eg", nil),
        ("https://a.example/b.p%zzng", .unknownExtension("p%zzng")), ("https://a.example/a%2Fb.png", nil),
    ]

    @Test(arguments: [
        ("http://localhost/a.png", true), ("https://LOCALHOST:8080/a.png", true), ("https://127.0.0.1/a.png", true),
        ("https://127.9.9.9:1/a.png", true), ("https://[::1]:8/a.png", true), ("http://0.0.0.0/a.png", true),
        ("https://u:p@localhost/a.png", true), ("https://media.localhost/a.png", true), ("http://localhost", true),
        ("https://localhost.example/a.png", false), ("https://a.example/localhost", false),
        ("https://localhost@a.example/a.png", false), ("https://[::11]/a.png", false), ("localhost/a.png", false),
        ("https://a.example/b@localhost", false), ("", false),
    ]) func `a local URL has a loopback host`(text: String, isLocal: Bool) {
        #expect(MediaURL.isLocal(text) == isLocal)
    }

    @Test(arguments: rows) func `a media URL is absolute and its path ends in the extension of an attachment type`(
        row: (text: String, fault: MediaURL.Fault?)
    ) {
        #expect(MediaURL.fault(of: row.text) == row.fault)
    }

    @Test(
        arguments: [
            ("http://a.example/b.png", true, true), ("HTTP://u:p@a.example:80/b.png", true, true),
            ("https://a.example/b.png", false, false), ("http:b.png", false, false), ("", false, false),
            ("http://localhost/b.png", true, false), ("http://LOCALHOST.:8080/b.png", true, false),
            ("http://app.localhost/b.png", true, false), ("http://notlocalhost/b.png", true, true),
            ("http://127.0.0.1:80/b.png", true, false), ("http://127.255.0.9", true, false),
            ("http://127.0.0.1.a.example/b.png", true, true), ("http://127.0.0.256/b.png", true, true),
            ("http://127.1/b.png", true, true), ("http://10.0.2.2/b.png", true, true),
            ("http://[::1]:80/b.png", true, false), ("http://[::2]/b.png", true, true),
            ("http://127.0.0.1@a.example/b.png", true, true),
        ]) func `http needs an exception, except to this machine`(
            text: String, isInClearText: Bool, needsException: Bool
        )
    {
        #expect(MediaURL.isInClearText(text) == isInClearText)
        #expect(MediaURL.needsException(text) == needsException)
    }
}

@Suite struct EndpointTests {
    @Test(
        arguments: [
            ("http://a.test", "a.test:80"), ("https://A.Test/x?y#z", "a.test:443"),
            ("HTTP://a.test:8080/", "a.test:8080"),
            ("http://[::1]:81/", "[::1]:81"), ("https://[::1]", "[::1]:443"), ("http://a.test:/", "a.test:80"),
            ("http://u:p@a.test:1/@b", "user a.test:1"), ("http://a@b@c.test/", "user c.test:80"),
            ("http://a.test?b:1", "a.test:80"), ("http://a.test#b:1", "a.test:80"),
            ("http://a.test:65535", "a.test:65535"),
            ("http://a.test:65536/", nil), ("http://a.test:0/", nil), ("http://a.test:+1/", nil),
            ("http://a.test:x/", nil),
            ("http://[::1]x/", nil), ("http://", nil), ("http:///a", nil), ("http://:80/", nil), ("ftp://a.test/", nil),
            ("//a.test/", nil), ("a.test", nil), ("", nil), ("http://a b.test/", nil), ("http://a.test/\u{0}", nil),
        ] as [(String, String?)])
    func `a URL names a host and a port, or nothing is sent to it`(url: String, expected: String?) {
        let endpoint = MediaURL.endpoint(of: url)
        #expect(endpoint.map { "\($0.namesUser ? "user " : "")\($0.host):\($0.port)" } == expected)
        if let endpoint { #expect(endpoint.isSecure == url.lowercased().hasPrefix("https")) }
    }
}
