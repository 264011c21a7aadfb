import PushCore
import PushEngine
import Testing

/// A search goes on where it was, whatever happens to the messages in the meantime.
@Suite struct MessageSearchTests {
    /// Takes the next match, or nil at the end.
    private func next(_ search: inout MessageSearch, _ fixture: EngineFixture, atMost count: Int = 3) -> String? {
        while !search.isDone {
            if let message = fixture.engine.nextMatch(&search, atMost: count) { return message.record.id.description }
        }
        return nil
    }

    private func filter(_ field: MessageFilter.Field, _ wanted: String) throws -> MessageFilter {
        var filter = MessageFilter()
        try filter.add(field, wanted)
        return filter
    }

    private func fixture(_ count: Int) -> EngineFixture {
        let fixture = EngineFixture()
        for _ in 0..<count { fixture.push() }
        fixture.engine.updateJournal()
        return fixture
    }

    @Test func `messages that are added later are not found`() {
        let fixture = fixture(3)
        var search = fixture.engine.search(MessageFilter())
        #expect(next(&search, fixture) == "p3")
        fixture.push()
        fixture.engine.updateJournal()
        #expect(next(&search, fixture) == "p2")
        #expect(next(&search, fixture) == "p1")
        #expect(next(&search, fixture) == nil)
    }

    @Test func `messages that are deleted in between are skipped, and no other one`() throws {
        let fixture = fixture(6)
        var search = fixture.engine.search(MessageFilter())
        #expect(next(&search, fixture) == "p6")
        #expect(next(&search, fixture) == "p5")
        fixture.engine.deleteMessages([PushID(6), PushID(4), PushID(1)])
        #expect(next(&search, fixture) == "p3")
        #expect(next(&search, fixture) == "p2")
        #expect(next(&search, fixture) == nil)
    }

    @Test func `few messages at a time find the same as all at once`() throws {
        let fixture = EngineFixture()
        for number in 0..<50 { fixture.push(body: #"{"aps":{"alert":"\#(number % 7 == 0 ? "Tea" : "x")"}}"#) }
        fixture.engine.updateJournal()
        let filter = try filter(.text, "TEA")
        var found: [String] = []
        var search = fixture.engine.search(filter)
        while let id = next(&search, fixture, atMost: 1) { found.append(id) }
        #expect(found == [50, 43, 36, 29, 22, 15, 8, 1].map { "p\($0)" })
    }

    @Test func `text is found in strings only, and also if it is escaped`() throws {
        let fixture = EngineFixture()
        fixture.push(body: #"{"aps":{"alert":"caf\u00e9 \"Tea\""}}"#)
        fixture.push(body: #"{"aps":{"alert":"plain"},"tea":1}"#)
        for (text, ids) in [("\"tea\"", ["p1"]), ("café", ["p1"]), ("tea", ["p1"]), ("PLAIN", ["p2"])] {
            let messages = fixture.engine.messages(try filter(.text, text), before: nil, limit: 9).messages
            #expect(messages.map(\.record.id.description) == ids, "\(text)")
        }
    }

    @Test func `a filter has limits`() throws {
        #expect(throws: ControlProblem.self) { try filter(.text, String(repeating: "x", count: 1001)) }
        _ = try filter(.text, String(repeating: "x", count: 1000))
    }
}
