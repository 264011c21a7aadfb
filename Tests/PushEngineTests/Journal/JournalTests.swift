import Devices
import HTTPCore
import JSON
import PushCore
import Testing

@testable import PushEngine

/// The pushes that were received, in pages and one by one.
@Suite struct JournalTests {
    @Test(arguments: [(255, 255), (256, 0)])
    func `a name of an app is recorded if it has at most 255 bytes`(length: Int, recorded: Int) {
        let fixture = EngineFixture()
        fixture.push(topic: String(repeating: "a", count: length))
        #expect(fixture.takeEvents().first { $0.push != nil }?.app.utf8.count == recorded)
    }

    @Test(arguments: [1, 2, 3, 7, 8]) func `pages follow each other without a gap or a repetition`(limit: Int) {
        let fixture = JournalSample.make()
        var found: [String] = []
        var cursor: UInt64?
        var pages = 0
        repeat {
            let (messages, next) = fixture.engine.messages(MessageFilter(), before: cursor, limit: limit)
            #expect(messages.count <= limit)
            found += JournalSample.ids(messages)
            cursor = next
            pages += 1
            // A push that comes meanwhile is on none of the later pages.
            fixture.push()
        } while cursor != nil && pages < 10
        #expect(found == ["p7", "p6", "p5", "p4", "p3", "p2", "p1"])
        #expect(pages == (7 + limit - 1) / limit)
    }

    @Test func `the pages of a device's messages follow each other too`() throws {
        let fixture = JournalSample.make()
        var filter = MessageFilter()
        try filter.add(.device, "i")
        let (first, next) = fixture.engine.messages(filter, before: nil, limit: 1)
        #expect(JournalSample.ids(first) == ["p2"])
        #expect(next != nil)
        let (second, end) = fixture.engine.messages(filter, before: next, limit: 1)
        #expect(JournalSample.ids(second) == ["p1"])
        #expect(end == nil)
    }

    @Test(arguments: [
        ("p1", true), ("p7", true), ("p8", false), ("p0", false), ("1", false), ("px", false), ("", false),
    ])
    func `a message is found by its id`(id: String, exists: Bool) {
        let fixture = JournalSample.make()
        #expect(fixture.logged(id)?.record.id.description == (exists ? id : nil))
    }

    @Test func `a sender's credentials are shown as a fingerprint`() throws {
        let fixture = EngineFixture()
        fixture.push()
        let shown = try #require(fixture.logged("p1")).shownHeaders
        let authorization = shown.first { $0.name == "authorization" }?.value ?? ""
        #expect(authorization.hasPrefix("bearer sha256:"))
        #expect(authorization.count == "bearer sha256:".count + 16)
        #expect(!shown.contains { $0.name.hasPrefix(":") })
        fixture.google(
            "POST", "/v1/projects/demo/messages:send?access_token=secret&alt=json", ["authorization": ""], body: "{}")
        let target = try #require(fixture.logged("p2")).shownTarget
        #expect(!target.contains("secret"))
        #expect(target.hasPrefix("/v1/projects/demo/messages:send?access_token=sha256:"))
        #expect(target.hasSuffix("&alt=json"))
    }

    @Test func `a message is shown with its outcome, its devices and its request`() throws {
        let fixture = JournalSample.make()
        var json = JSONWriter()
        try #require(fixture.logged("p5")).write(to: &json)
        let shown = EngineFixture.json(String(decoding: json.finish(), as: UTF8.self))
        #expect(shown["provider"]?.string == "fcm")
        #expect(shown["project"]?.string == "demo")
        #expect(shown["target"]?["topic"]?.string == "news")
        #expect(shown["devices"]?.elements.map(\.string) == ["a"])
        #expect(shown["outcome"]?.string == "accepted")
        #expect(shown["request"]?["body"]?["message"]?["notification"]?["title"]?.string == "GOAL")
        #expect(shown["findings"]?[0]?["rule"]?.string == "auth.unknown-bearer")
    }

    @Test func `the log forgets the oldest messages, and the journal with it`() throws {
        let fixture = EngineFixture { $0.logCapacity = 20 }
        fixture.make("i")
        for _ in 0..<200 { fixture.push(to: "i") }
        let found = JournalSample.ids(fixture.engine.messages(MessageFilter(), before: nil, limit: 1000).messages)
        #expect(found.first == "p200")
        #expect(found == (0..<found.count).map { "p\(200 - $0)" })
        #expect(5...20 ~= found.count)
        #expect(fixture.logged("p1") == nil)
        #expect(fixture.engine.journal.rows.count < 100)
        var filter = MessageFilter()
        try filter.add(.device, "i")
        #expect(JournalSample.ids(fixture.engine.messages(filter, before: nil, limit: 1000).messages) == found)
    }

    @Test func `a flood of refused pushes leaves every accepted one`() throws {
        let fixture = EngineFixture { $0.logCapacity = 100 }
        fixture.make("i")
        for _ in 0..<10 { fixture.push(to: "i") }
        let before = fixture.engine.messages(MessageFilter(), before: nil, limit: 4).messages
        for _ in 0..<1000 { fixture.push("abc") }
        let all = JournalSample.ids(fixture.engine.messages(MessageFilter(), before: nil, limit: 1000).messages)
        #expect(all == (991...1010).reversed().map { "p\($0)" } + (1...10).reversed().map { "p\($0)" })
        // A page that was read before the flood has its next one.
        let cursor = try #require(before.last?.event.seq)
        let rest = JournalSample.ids(fixture.engine.messages(MessageFilter(), before: cursor, limit: 1000).messages)
        #expect(rest == (1...6).reversed().map { "p\($0)" })
        #expect(fixture.engine.journal.rows.count < 100)
        #expect(fixture.engine.events.pushCount == 30)
        var filter = MessageFilter()
        try filter.add(.device, "i")
        #expect(fixture.engine.messages(filter, before: nil, limit: 1000).messages.count == 10)
        #expect(fixture.logged("p1") != nil && fixture.logged("p500") == nil && fixture.logged("p1000") != nil)
        #expect(fixture.device("i").phone.shade.entries.count == 10)
        // Each accepted push is still known by its row.
        for _ in 0..<5 { fixture.push(to: "i") }
        #expect(fixture.engine.messages(filter, before: nil, limit: 1000).messages.count == 15)
    }

    @Test func `a search goes on when refused pushes between its messages are forgotten`() throws {
        let fixture = EngineFixture { $0.logCapacity = 400 }
        for number in 0..<90 { if number % 10 == 0 { fixture.push() } else { fixture.push("abc") } }
        fixture.engine.updateJournal()
        var search = fixture.engine.search(MessageFilter())
        var found: [String] = []
        for _ in 0..<15 {
            if let message = fixture.engine.nextMatch(&search, atMost: 1) { found += JournalSample.ids([message]) }
        }
        #expect(found == (76...90).reversed().map { "p\($0)" })
        for _ in 0..<80 { fixture.push("abc") }
        fixture.engine.updateJournal()
        while !search.isDone {
            if let message = fixture.engine.nextMatch(&search, atMost: 1) { found += JournalSample.ids([message]) }
        }
        #expect(found.suffix(8) == [71, 61, 51, 41, 31, 21, 11, 1].map { "p\($0)" })
        #expect(found.count == 23)
    }

    @Test func `the journal continues to read while the engine is idle`() {
        let fixture = EngineFixture()
        fixture.push()
        fixture.engine.updateJournalWhileIdle()
        // The log has grown since the last look.
        #expect(fixture.engine.journal.rows.isEmpty)
        fixture.engine.updateJournalWhileIdle()
        #expect(fixture.engine.journal.rows.count == 1)
    }
}
