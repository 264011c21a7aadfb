import Testing

@testable import Proxy

/// Where a CONNECT leads, and the proxy behind Pushpit's.
@Suite struct ProxyTargetTests {
    @Test(
        arguments: [
            ("example.com:443", "example.com:443"), ("EXAMPLE.com:1", "example.com:1"), ("[::1]:65535", "[::1]:65535"),
            ("10.0.0.1:80", "10.0.0.1:80"),
            // Without a port, or with one that does not exist.
            ("example.com", nil), ("example.com:", nil), ("example.com:0", nil), ("example.com:65536", nil),
            ("example.com:99999999999999999999", nil), (":443", nil), ("", nil), ("a b:443", nil), ("u@a:443", nil),
            (String(repeating: "a", count: 256) + ":443", nil),
        ] as [(String, String?)])
    func `a relay needs a host and a port`(authority: String, expected: String?) {
        #expect((try? RelayTarget(authority))?.description == expected)
    }

    @Test(arguments: ["api.push.apple.com:443", "fcm.googleapis.com:443"])
    func `the vendors' hosts are never passed on`(authority: String) throws {
        guard case .vendor = try ProxyTarget(authority, forwardsOtherHosts: true) else {
            Issue.record("\(authority) is passed on")
            return
        }
        for problem in ["storage.googleapis.com:443", "gateway.push.apple.com:443", "api.push.apple.com:80"] {
            #expect(throws: VendorHost.Problem.self) { try ProxyTarget(problem, forwardsOtherHosts: true) }
        }
        #expect(throws: VendorHost.Problem.foreign("example.com")) {
            try ProxyTarget("example.com:443", forwardsOtherHosts: false)
        }
    }

    @Test(
        arguments: [
            ("http://proxy.example:3128", "proxy.example:3128", nil), ("proxy.example:3128", "proxy.example:3128", nil),
            ("HTTP://proxy.example", "proxy.example:80", nil), ("http://[::1]:8080/", "[::1]:8080", nil),
            ("http://[::1]", "[::1]:80", nil),
            ("http://me:p%40ss@proxy.example:1/x", "proxy.example:1", "bWU6cEBzcw=="),
            ("http://a@b@proxy.example:1", "proxy.example:1", "YUBi"),
        ] as [(String, String, String?)])
    func `the URL of the next proxy is read as clients read it`(url: String, address: String, credentials: String?)
        throws
    {
        let proxy = try UpstreamProxy(url)
        #expect(proxy.address == address && proxy.credentials == credentials)
    }

    @Test(arguments: [
        "https://proxy.example:3128", "socks5://proxy.example:1", "http://", "", "http://a b", "http://a:0",
    ])
    func `another kind of proxy is refused`(url: String) {
        #expect(throws: UpstreamProxy.Problem.self) { try UpstreamProxy(url) }
    }
}
