import HTTPCore
import Testing

@testable import PushCore

@Suite struct RequestArenaTests {
    private static func request(_ path: String, _ body: String, _ version: HTTPVersion = .http2) -> Request {
        var request = Request(
            version: version, headers: HeaderBlock([.method: "POST", .path: path, .authorization: "bearer abc"]))
        request.body = Array(body.utf8)
        return request
    }

    @Test func `requests are read back complete`() throws {
        let requests = [
            Self.request("/a", "1"), Self.request("/a", "22"), Self.request("/b", "3"), Self.request("/b", ""),
            Self.request("/a", "1", .http11),
            Request(version: .http11), Request(version: .http2), Self.request("/a", "1"),
        ]
        var arena = RequestArena(for: .main)
        let places = requests.map { arena.store($0) }
        for (request, place) in zip(requests, places) {
            let found = try #require(arena[place])
            #expect(found.headers == request.headers && found.body == request.body && found.version == request.version)
        }
        let fields = 3 * MemoryLayout<HeaderBlock.Place>.size + Self.request("/a", "").headers.storage.count
        #expect(places.map(\.size) == [fields + 1, fields + 2, fields + 1, fields, fields + 1, 0, 0, fields + 1])
    }

    @Test func `a full segment is followed by the next, and dropping one drops its requests`() throws {
        var arena = RequestArena(for: .main)
        let body = String(repeating: "x", count: 100_000)
        let places = (0..<5).map { _ in arena.store(Self.request("/a", body)) }
        #expect(places.map(\.segment) == [0, 0, 1, 1, 2])
        arena.forget(before: 1)
        #expect(places.map { arena[$0] != nil } == [false, false, true, true, true])
        #expect(try #require(arena[places[3]]).headers == Self.request("/a", "").headers)
    }
}
