import HTTPCore
import Testing

@testable import Browsers

@Suite struct PageAddressTests {
    @Test(arguments: [
        ("http://localhost:3000", "http://localhost:3000"), ("http://localhost:3000/a?b#c", "http://localhost:3000"),
        ("HTTPS://Shop.Test/", "https://shop.test"), ("https://shop.test:443/", "https://shop.test"),
        ("http://localhost:80", "http://localhost"), ("http://[::1]:8080/x", "http://[::1]:8080"),
        ("http://localhost?x=/", "http://localhost"), ("http://a\\@b/", "http://a"),
    ]) func `the origin is scheme, host and port`(url: String, origin: String) throws {
        let page = try PageAddress(url)
        #expect((page.url, page.origin.description) == (url, origin))
    }

    @Test(arguments: [
        ("localhost:3000", "http:// or https://"), ("file:///etc/passwd", "http:// or https://"),
        ("--no-sandbox", "http:// or https://"), ("", "http:// or https://"), ("http://", "must have a host"),
        ("http:///x", "must have a host"), ("http://a@b/", "must have a host"), ("http://a:b/", "must have a host"),
        ("http://a:99999/", "must have a host"), ("http://a,MAP x y/", "without spaces"),
        ("http://a,b/", "must have a host"), ("http://a\"b/", "must have a host"),
        ("http://\u{e4}.test/", "xn--"), ("http://a/\n", "without spaces"),
        ("http://a/" + String(repeating: "x", count: 8192), "at most 8192"),
    ]) func `any other text is refused`(text: String, reason: String) {
        #expect { _ = try PageAddress(text) } throws: { ($0 as? PageAddress.Problem)?.reason.contains(reason) == true }
    }

    @Test(arguments: [
        ("https://shop.test", true), ("http://localhost:3000", true), ("http://app.localhost", true),
        ("http://127.0.0.1:80", true), ("http://[::1]/", true), ("http://shop.test", false),
        ("http://192.168.0.1:3000", false), ("http://localhost.test", false),
    ]) func `pages get pushes with https or on this machine`(url: String, isSecure: Bool) throws {
        #expect(try PageAddress(url).isSecure == isSecure)
    }
}
