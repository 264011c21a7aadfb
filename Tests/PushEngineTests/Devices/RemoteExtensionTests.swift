import Devices
import PushCore
import Testing

@testable import PushEngine

/// Service extensions whose result comes from a client, and the clock that ends them.
@Suite struct RemoteExtensionTests {
    @Test func `only the script remote waits for a client`() {
        let fixture = EngineFixture()
        fixture.make("d", .ios, #""extension":{"script":"remote"}"#)
        let body = #"{"aps":{"alert":{"title":"a"},"mutable-content":1}}"#
        #expect(fixture.perform(.extensionResult(PushID(1), .crash), on: "d")?.pointer == "/push")
        fixture.push(to: "d", body: body)
        #expect(fixture.device("d").phone.shade.entries.isEmpty)
        #expect(
            fixture.perform(.extensionResult(PushID(1), .content(title: "b", subtitle: nil, body: nil)), on: "d") == nil
        )
        #expect(fixture.device("d").phone.shade.entries.count == 1)
        #expect(fixture.perform(.extensionResult(PushID(1), .crash), on: "d")?.pointer == "/push")
    }

    @Test func `an extension that never answers is ended by the clock`() {
        let fixture = EngineFixture()
        fixture.make("d", .ios, #""extension":{"script":"remote"}"#)
        fixture.push(to: "d", body: #"{"aps":{"alert":{"title":"a"},"mutable-content":1}}"#)
        fixture.advance(29_000)
        #expect(fixture.device("d").phone.shade.entries.isEmpty)
        fixture.advance(1000)
        #expect(fixture.device("d").phone.shade.entries.count == 1)
    }

    @Test func `many pushes whose extensions run request few wake-ups`() {
        let fixture = EngineFixture()
        fixture.make("d", .ios, #""extension":{"script":"remote"}"#)
        for _ in 0..<50 {
            fixture.push(to: "d", body: #"{"aps":{"alert":{"title":"a"},"mutable-content":1}}"#)
            fixture.now = fixture.now + 100
        }
        #expect(fixture.engine.pendingWork.wakes.count == 1)
        fixture.advance(25_000)
        #expect(fixture.device("d").phone.shade.entries.count == 1)
        fixture.advance(2400)
        #expect(fixture.device("d").phone.shade.entries.count == 25)
        fixture.advance(2500)
        #expect(fixture.device("d").phone.shade.entries.count == 50)
        #expect(!fixture.hasWork)
    }

    @Test func `a timer of a removed device does not reach the one in its slot`() throws {
        let fixture = EngineFixture()
        fixture.make("old", .ios, #""extension":{"script":"remote"}"#)
        fixture.push(to: "old", body: #"{"aps":{"alert":{"title":"a"},"mutable-content":1}}"#)
        let wake = try #require(fixture.engine.pendingWork.wakes.first)
        let slot = fixture.slot("old")
        fixture.delete("old")
        fixture.make("new", .ios, #""extension":{"script":"remote"}"#)
        #expect(fixture.slot("new") == slot)
        fixture.push(to: "new", body: #"{"aps":{"alert":{"title":"b"},"mutable-content":1}}"#)
        _ = fixture.takeEvents()
        #expect(fixture.engine.devices.slot(of: wake.device) == nil)
        fixture.engine.wake(wake.device, at: wake.due)
        #expect(fixture.takeEvents().isEmpty)
        #expect(fixture.device("new").phone.shade.entries.isEmpty)
    }
}
