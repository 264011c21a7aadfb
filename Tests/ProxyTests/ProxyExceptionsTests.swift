import Testing

@testable import Proxy

/// Which hosts a list such as `NO_PROXY` excepts from the proxy.
@Suite struct ProxyExceptionsTests {
    @Test(
        arguments: [
            ("*", "example.com:443", true), (".com", "example.com:443", true), ("*.com", "example.com:443", true),
            ("example.com", "example.com:443", true), ("example.com", "a.example.com:443", true),
            ("example.com", "badexample.com:443", false), ("EXAMPLE.com", "example.com:443", true),
            ("a,example.com b", "example.com:443", true), ("example.com:443", "example.com:443", true),
            ("example.com:80", "example.com:443", false), ("10.1.2.3", "10.1.2.3:80", true),
            ("[::1]", "[::1]:80", true), ("::1", "[::1]:80", true), ("[::1]:81", "[::1]:80", false),
            // Nothing, and ranges of addresses, which only some clients know.
            ("", "example.com:443", false), (", ,.,*.", "example.com:443", false),
            ("10.0.0.0/8", "10.1.2.3:80", false),
        ] as [(String, String, Bool)])
    func `a list names hosts, domains and ports`(list: String, target: String, isExcepted: Bool) throws {
        let proxy = try UpstreamProxy("http://proxy:3128", except: list)
        #expect(proxy.isUsed(for: try RelayTarget(target)) == !isExcepted)
    }
}
