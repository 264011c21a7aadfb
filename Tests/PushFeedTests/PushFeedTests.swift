import Devices
import PushCore
import PushEngine
import Testing

@testable import PushFeed

/// Which pushes get a line, and when.
@Suite struct PushFeedTests {
    private static let hello = #"{"aps":{"alert":"Hello"}}"#

    @Test func `each push has one line`() {
        let sample = FeedSample()
        #expect(!sample.feed.hasNews && sample.take() == [])
        for _ in 0..<3 { sample.push(Self.hello) }
        #expect(sample.take().map { $0.prefix(2) } == ["p1", "p2", "p3"])
        #expect(!sample.feed.hasNews && sample.take() == [])
        sample.push(Self.hello)
        #expect(sample.take().map { $0.prefix(2) } == ["p4"])
    }

    @Test func `above the limit there is one line a second`() {
        let sample = FeedSample(limit: 3)
        for number in 0..<10 { sample.push(Self.hello, to: number < 8 ? FeedSample.token : "zz") }
        #expect(sample.take().count == 3)
        for _ in 0..<5 { sample.push(Self.hello) }
        #expect(!sample.feed.hasNews, "they are only counted")
        sample.now += 999
        #expect(sample.summary() == nil)
        sample.now += 1
        #expect(sample.summary() == "12 pushes in 1.0 s: 10 accepted, 2 refused (apns.BadDeviceToken 2)")
        sample.push(Self.hello)
        #expect(sample.take() == [], "the last second had too many for lines")
        sample.now += 1500
        #expect(sample.summary() == "1 push in 1.5 s: 1 accepted, 0 refused")
        sample.push(Self.hello)
        #expect(sample.take().count == 1, "it is quiet again")
        sample.now += 5000
        #expect(sample.summary() == nil)
    }

    @Test func `refusals while pushes are only counted are named, the most frequent ones first`() {
        let sample = FeedSample(limit: 1)
        for _ in 0..<2 { sample.push(Self.hello) }
        _ = sample.take()
        for token in ["zz", "zz", "dead0410" + String(repeating: "0", count: 56)] { sample.push(Self.hello, to: token) }
        for topic in ["a b", "a b", "a b"] { sample.push(Self.hello, topic: topic) }
        sample.now += 2000
        let text = sample.summary() ?? ""
        #expect(
            text.hasSuffix("1 accepted, 6 refused (apns.BadTopic 3, apns.BadDeviceToken 2, apns.Unregistered 1)"),
            "\(text)")
    }

    @Test func `a quiet second begins a new count of lines`() {
        let sample = FeedSample(limit: 2)
        for _ in 0..<3 {
            for _ in 0..<2 { sample.push(Self.hello) }
            #expect(sample.take().count == 2)
            sample.now += 1000
        }
    }

    @Test func `the end of the gateway is a reason for a summary`() {
        let sample = FeedSample(limit: 1)
        for _ in 0..<3 { sample.push(Self.hello) }
        _ = sample.take()
        sample.now += 100
        #expect(sample.summary(isEnd: true) == "2 pushes in 0.1 s: 2 accepted, 0 refused")
    }

    @Test func `with a limit of 0 there are no lines`() {
        let sample = FeedSample(limit: 0)
        sample.push(Self.hello)
        sample.push(Self.hello, to: "zz")
        sample.now += 5000
        #expect(!sample.feed.hasNews && sample.summary() == nil && sample.summary(isEnd: true) == nil)
    }

    @Test func `the line waits at most one second for an extension, and another line says how it ended`() throws {
        let sample = FeedSample()
        let token = try sample.device("d1", "ios", #","extension":{"script":"slow","seconds":20}"#)
        sample.push(#"{"aps":{"alert":{"title":"T"},"mutable-content":1,"badge":1},"link":null}"#, to: token)
        #expect(sample.take() == [])
        sample.now += 999
        #expect(sample.take() == [] && sample.feed.hasNews)
        sample.now += 1
        let first = try #require(sample.take().first)
        #expect(first.contains(" 200 the extension is still working | warning: "), "\(first)")
        sample.now += 5000
        #expect(sample.take() == [], "nothing has changed")
        sample.clock = sample.clock + 20_000
        let device = sample.engine.devices.reference(to: 0)
        sample.engine.wake(device, at: sample.clock)
        let second = try #require(sample.feed.lines(sample.engine, at: sample.now).first)
        #expect(second.time == sample.clock, "the line has the time of the end")
        let text = second.text(Colors(isOn: false), FeedSample.explanations)
        #expect(text.hasSuffix("200 presented"), "it does not repeat what was found: \(text)")
        #expect(!sample.feed.hasNews)
    }

    @Test func `events between pushes are not read, however many there are`() throws {
        let sample = FeedSample()
        sample.push(Self.hello)
        _ = sample.take()
        for number in 0..<3000 { try sample.device("x\(number)") }
        sample.push(Self.hello)
        #expect(sample.take().count == 1)
    }

    @Test func `a message to very many devices gets its line when the first of them have it`() throws {
        let sample = FeedSample()
        for number in 0..<2500 {
            try sample.device("x\(number)", "android")
            try sample.subscribe("x\(number)", to: "news")
        }
        sample.message(#""topic":"news","notification":{"title":"To all"}"#)
        #expect(sample.take() == [])
        sample.engine.continueFanOuts(1500, at: sample.clock)
        let line = try #require(sample.take().first)
        #expect(line.hasSuffix("devices; of the first 20, 20 presented"), "\(line)")
        #expect(sample.take() == [])
    }

    @Test func `a note is new again only after a minute without it`() {
        var notes = RecentNotes()
        let asked: [(String, UInt64)] = [("a", 0), ("a", 59_999), ("a", 100_000), ("b", 100_000), ("a", 160_000)]
        #expect(asked.map { notes.isNew($0, at: $1) } == [true, false, false, true, true])
        // Names that a client makes up can't fill the log.
        for number in 0..<200 { _ = notes.isNew("name \(number)", at: 160_000) }
        let other = [160_000, 220_000].map { notes.isNew("yet another", at: $0) }
        #expect(other == [false, true])
    }
}
