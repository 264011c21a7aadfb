import Devices
import HTTPCore
import JSON
import PushCore

@testable import PushEngine

/// What the tests of lists and filters share.
enum JournalSample {
    /// Seven pushes: p1 to p3 and p7 to Apple, p4 to p6 to Google, one a second.
    static func make() -> EngineFixture {
        let fixture = EngineFixture()
        fixture.make("i")
        fixture.make("a", .android)
        fixture.subscribe("a", to: "news")
        fixture.push(to: "i", ["apns-priority": "5"], body: #"{"aps":{"alert":{"title":"Goal"},"badge":7}}"#)
        fixture.advance(1000)
        fixture.push(
            to: "i", ["apns-push-type": "background", "apns-priority": "5"], body: #"{"aps":{"content-available":1}}"#)
        fixture.advance(1000)
        fixture.push(["apns-collapse-id": "score"], topic: "com.example.other")
        fixture.advance(1000)
        fixture.message(to: "a", #""data":{"a":"7"}"#)
        fixture.advance(1000)
        fixture.message(#""topic":"news","notification":{"title":"GOAL"}"#)
        fixture.finish()
        fixture.advance(1000)
        fixture.message(#""token":"abc""#)
        fixture.advance(1000)
        fixture.push("abc", topic: "com.example.other")
        return fixture
    }

    static func ids(_ messages: [Message]) -> [String] { messages.map(\.record.id.description) }

    static func ids(_ fixture: EngineFixture, _ query: String) throws -> [String] {
        let filter = try MessageFilter(QueryReader(fixture.request(path: "/?" + query)))
        return ids(fixture.engine.messages(filter, before: nil, limit: 100).messages)
    }
}
