import HTTPCore
import PushCore
import PushEngine
import Testing

@testable import PushFeed
@testable import Receivers

/// Lines about web pushes to a real Firefox.
@Suite struct RealReceiverTests {
    private let sample = FeedSample()
    private let session = ClientID(slot: 1, generation: 1)
    private let agent: String
    private let path: String

    init() throws {
        let connected = sample.engine.realReceivers.mozilla.connect(nil, session)
        agent = try #require(connected)
        let endpoint = sample.engine.realReceivers.mozilla.subscribe("c", of: agent, key: nil, base: "")
        path = try #require(endpoint)
        sample.engine.applyReceiverNews(at: sample.clock)
    }

    /// Sends a push, and passes it to Firefox. Returns Firefox's name for it.
    private func push() throws -> String {
        var request = Request(version: .http2, headers: HeaderBlock([.method: "POST", .path: path]))
        request.headers.append(HeaderName("ttl"), "60")
        let before = sample.engine.events.newest
        let id = sample.engine.nextWebPush()
        let push = try #require(WebPush(request, id, at: sample.clock))
        _ = sample.engine.send(push, base: "", &sample.connection.faults)
        sample.feed.received(after: before, refusedBy: nil)
        let sent = sample.engine.realReceivers.mozilla.nextMessage(for: agent, at: sample.clock)
        sample.engine.applyReceiverNews(at: sample.clock)
        return try #require(sent?.push.id)
    }

    @Test(arguments: [(Int64(100), "received by the browser"), (101, "received, but the browser could not decrypt it")])
    func `a line waits for what Firefox says of the push`(code: Int64, said: String) throws {
        let version = try push()
        #expect(sample.take() == [])
        sample.engine.realReceivers.mozilla.acknowledge([version: code], by: agent)
        sample.engine.applyReceiverNews(at: sample.clock)
        let lines = sample.take()
        #expect(lines.count == 1 && lines[0].contains(said), "\(lines)")
    }

    @Test func `a Firefox that says nothing has a line after a second`() throws {
        _ = try push()
        #expect(sample.take() == [])
        sample.now += 999
        #expect(sample.take() == [])
        sample.now += 1
        let lines = sample.take()
        #expect(lines.count == 1 && lines[0].contains("delivered"), "\(lines)")
        #expect(!sample.feed.hasNews)
    }

    @Test func `a line does not wait for a Firefox that has gone`() throws {
        _ = try push()
        sample.engine.realReceivers.mozilla.disconnect(agent, session)
        #expect(sample.take().count == 1)
    }
}
