import EventLoop
import Testing

@testable import Fetching

/// Which connections are made, with real sockets.
@Suite struct ConnectionTests {
    @Test func `nothing is sent to the gateway itself`() throws {
        let server = try WebServer()
        let client = try HTTPClient(on: server.loop, authorityFile: "")
        let policy = AddressPolicy(reach: .everywhere, ownPorts: [server.port])
        var failures: [HTTPFailure] = []
        for host in ["localhost", "127.0.0.1", "127.0.0.9", "0.0.0.0", "[::ffff:127.0.0.1]", "127.1"] {
            client.send(HTTPClientTests.request("http://\(host):\(server.port)/", policy)) { outcome in
                if case .failure(let failure) = outcome { failures.append(failure) }
            }
        }
        try server.run { failures.count == 6 }
        #expect(failures == Array(repeating: .refused(.thisGateway), count: 6))
        client.close()
        #expect(server.close())
    }

    @Test(
        arguments: [
            ("http://10.1.2.3/a", .refused(.otherMachine)), ("https://example.com/", .refused(.otherMachine)),
            ("http://[::ffff:10.1.2.3]/", .refused(.otherMachine)), ("ftp://localhost/", .unusableURL),
            ("file:///etc/passwd", .unusableURL), ("http://localhost:0/", .unusableURL), ("x", .unusableURL),
            ("http://user:password@localhost/", .namesUser), ("http://localhost:1/", .unreachable),
        ] as [(String, HTTPFailure)])
    func `some URLs lead nowhere`(url: String, failure: HTTPFailure) throws {
        let outcome = try HTTPClientTests.outcome { _ in
            HTTPClientTests.request(url)
        } reply: { _ in
            .nothing
        }
        #expect(throws: failure) { try outcome.get() }
    }

    @Test func `the address of each connection is checked by libcurl's own call`() throws {
        let server = try WebServer()
        #expect(CurlLibrary.problem() == nil)
        let pool = try #require(TransferPool(on: server.loop))
        let policy = AddressPolicy(reach: .thisMachine, ownPorts: [server.port])
        var outcome: HTTPClient.Outcome?
        let transfer = TransferPool.Transfer(
            request: HTTPClientTests.request("http://a.test/", policy),
            address: SocketAddress(host: "127.0.0.1", port: server.port),
            authorityFile: "")
        #expect(pool.start(transfer) { outcome = $0 })
        try server.run { outcome != nil }
        #expect(throws: HTTPFailure.refused(.thisGateway)) { try outcome?.get() }
        #expect(server.requests.isEmpty)
        pool.close()
        #expect(server.close())
    }
}
