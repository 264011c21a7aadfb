import Devices
import PushCore
import Testing

@testable import PushEngine

/// Files and reports that the gateway fetches and sends on for phones.
@Suite struct FetchTests {
    private static let url = "https://e.com/a.png"
    private static let message = #""notification":{"title":"T","image":"\#(url)"}"#
    private static let image = FetchResult.received(Media(contentType: "image/png", size: 1))

    private static func fixture() -> EngineFixture {
        let fixture = EngineFixture()
        fixture.engine.fetchesMedia = true
        fixture.make("d", .android)
        return fixture
    }

    @Test func `a phone gets the file when the gateway has fetched it`() throws {
        let fixture = Self.fixture()
        fixture.message(to: "d", Self.message)
        #expect(fixture.hasWork)
        let fetch = try #require(fixture.nextFetch())
        #expect(fetch.request.url == Self.url)
        #expect(fixture.takeShown() == [])
        fixture.engine.fetched(fetch, Self.image, at: fixture.now)
        #expect(fixture.takeShown().map { $0.prefix { $0 != " " } } == ["attachment", "presented"])
        #expect(fixture.device("d").phone.shade.entries.count == 1)
    }

    @Test func `the clock ends the wait, and a late file changes nothing`() throws {
        let fixture = Self.fixture()
        fixture.message(to: "d", Self.message)
        let fetch = try #require(fixture.nextFetch())
        fixture.advance(4999)
        #expect(fixture.device("d").phone.shade.entries.isEmpty)
        fixture.advance(1)
        #expect(fixture.device("d").phone.shade.entries.count == 1)
        _ = fixture.takeShown()
        fixture.engine.fetched(fetch, Self.image, at: fixture.now)
        #expect(fixture.takeShown() == [])
        #expect(!fixture.hasWork)
    }

    @Test func `the media table comes first`() {
        let fixture = Self.fixture()
        fixture.engine.setMedia(Media(contentType: "image/png", size: 1), for: Self.url)
        fixture.message(to: "d", Self.message)
        #expect(!fixture.hasWork)
        #expect(fixture.device("d").phone.shade.entries.count == 1)
    }

    @Test func `a gateway that fetches nothing says so at once`() {
        let fixture = Self.fixture()
        fixture.engine.fetchesMedia = false
        fixture.message(to: "d", Self.message)
        #expect(!fixture.hasWork)
        #expect(fixture.takeShown().first?.contains("fetch.skipped") == true)
    }

    @Test func `a file of a removed device does not reach the one in its slot`() throws {
        let fixture = Self.fixture()
        fixture.message(to: "d", Self.message)
        let fetch = try #require(fixture.nextFetch())
        fixture.delete("d")
        fixture.make("new", .android)
        fixture.message(to: "new", Self.message)
        _ = fixture.takeEvents()
        fixture.engine.fetched(fetch, Self.image, at: fixture.now)
        #expect(fixture.takeEvents().isEmpty)
    }

    @Test(arguments: [true, false]) func `reports of simulated apps are sent on if that is wanted`(isWanted: Bool) {
        let fixture = EngineFixture()
        fixture.engine.forwardsHits = isWanted
        fixture.make("d", .android, #""tracking":{"profile":"adobe","ecid":"123"}"#)
        fixture.message(to: "d", #""data":{"_mId":"h1","_dId":"2","title":"T"}"#)
        let hit = TrackingHit(push: PushID(1), action: "7", broadlog: "h1", delivery: "2", ecid: "123")
        let forwarded = fixture.engine.pendingWork.hits.popFirst()
        #expect(forwarded == (isWanted ? hit : nil))
        #expect(fixture.engine.tracking.hits.count == 1)
    }
}

extension EngineFixture {
    fileprivate func nextFetch() -> DeviceFetch? { engine.pendingWork.fetches.popFirst() }
}
