import EventLoop
import PushCore
import Testing

@testable import Fetching

@Suite struct KnownHostsTests {
    @Test(
        arguments: [
            ("http://localhost/", ["127.0.0.1:80", "[::1]:80"]),
            ("http://LOCALHOST.:8080/", ["127.0.0.1:8080", "[::1]:8080"]),
            ("https://images.localhost/", ["127.0.0.1:443", "[::1]:443"]), ("http://10.1.2.3:9/", ["10.1.2.3:9"]),
            ("http://[::1]/", ["[::1]:80"]), ("http://localhost.test/", nil), ("http://notlocalhost/", nil),
            ("http://127.1/", nil), ("http://2130706433/", nil), ("http://a.test/", nil),
        ] as [(String, [String]?)])
    func `addresses and localhost need no look-up`(url: String, addresses: [String]?) throws {
        let endpoint = try #require(MediaURL.endpoint(of: url))
        let found = try KnownHosts().addresses(of: endpoint, at: 0)?.get()
        #expect(found?.map(\.description) == addresses)
    }

    @Test func `the result of a look-up is kept for a while, also if nothing was found`() throws {
        var hosts = KnownHosts()
        let endpoint = try #require(MediaURL.endpoint(of: "http://a.test/"))
        hosts.remember(endpoint, .success([SocketAddress(host: "10.0.0.1", port: 80)]), at: 5)
        #expect(try hosts.addresses(of: endpoint, at: 4 + KnownHosts.lifetime)?.get().count == 1)
        #expect(hosts.addresses(of: endpoint, at: 5 + KnownHosts.lifetime) == nil)
        hosts.remember(endpoint, .failure(SocketAddress.LookupFailure(reason: "x")), at: 0)
        #expect(throws: SocketAddress.LookupFailure.self) { try hosts.addresses(of: endpoint, at: 1)?.get() }
    }

    @Test func `the number of results is limited`() throws {
        var hosts = KnownHosts()
        let endpoints = try (0...KnownHosts.capacity).map { try #require(MediaURL.endpoint(of: "http://h\($0).test/")) }
        for endpoint in endpoints { hosts.remember(endpoint, .success([]), at: 0) }
        #expect(endpoints.count { hosts.addresses(of: $0, at: 1) != nil } == 1)
    }
}
