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

    @Test func `requests that are cut out of a segment are gone, and the others are found where they were`() throws {
        var arena = RequestArena(for: .main)
        let bodies = (0..<7).map { String(repeating: String($0), count: 50_000 + $0) }
        let places = bodies.map { arena.store(Self.request("/\($0.first!)", $0)) }
        #expect(places.map(\.segment) == [0, 0, 0, 0, 0, 1, 1])
        for kept in [[1, 2, 4], [2, 4], [4]] {
            arena.cut(0, keeping: kept.map { places[$0] })
            for (number, place) in places.enumerated() {
                let isKept = kept.contains(number) || number > 4
                #expect((arena[place] != nil) == isKept && (arena.body(place) != nil) == isKept)
                guard let found = arena[place], let body = arena.body(place) else { continue }
                #expect(found.headers == Self.request("/\(number)", "").headers)
                #expect(found.body == Array(bodies[number].utf8) && Array(body) == found.body)
            }
        }
    }

    @Test func `a segment is worth a cut if most of it is removed and it is full`() {
        var arena = RequestArena(for: .main)
        let places = (0..<7).map { _ in arena.store(Self.request("/a", String(repeating: "x", count: 50_000))) }
        #expect(
            [0, 1, 2, 5, 6].map { arena.noteRemoval(of: places[$0].size, in: places[$0].segment) }
                == [false, false, true, false, false])
        arena.cut(0, keeping: [places[3], places[4]])
        #expect([3, 4].map { arena.noteRemoval(of: places[$0].size, in: 0) } == [false, true])
    }
}
