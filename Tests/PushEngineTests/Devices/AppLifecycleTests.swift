import Devices
import PushCore
import Testing

@testable import PushEngine

/// What follows when an app is uninstalled, installed, stopped or opened, and when a person acts on what it shows.
@Suite struct AppLifecycleTests {
    @Test func `uninstalling clears what is shown, and installing gives other tokens`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.push(to: "d", body: #"{"aps":{"alert":"a","badge":3}}"#)
        let tokens = (fixture.apnsToken("d"), fixture.fcmToken("d"), fixture.device("d").activityToken)
        let fid = fixture.device("d").fid
        _ = fixture.takeEvents()
        fixture.uninstall("d")
        #expect(fixture.takeEvents().map(EngineFixture.line) == ["unregistered d", "removed d count=1"])
        #expect(fixture.perform(.uninstall, on: "d")?.pointer == "/type")
        #expect(fixture.install("d") == nil)
        #expect(
            fixture.take() == [
                "registered d", "token d provider=apns cause=install", "token d provider=fcm cause=install",
            ] + TokenKind.allCases.map { "token d provider=apns kind=\($0.rawValue) cause=install" })
        #expect(fixture.apnsToken("d") != tokens.0)
        #expect(fixture.fcmToken("d") != tokens.1)
        #expect(fixture.device("d").activityToken != tokens.2)
        #expect(fixture.device("d").fid != fid)
        #expect(fixture.device("d").phone.badge == 0)
        #expect(fixture.install("d")?.message == "The app is already on the device.")
        #expect(fixture.push(to: "d").status == 200)
    }

    @Test func `pushes that waited for an uninstalled app are not for the newly installed one`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        fixture.push(to: "d")
        fixture.uninstall("d")
        _ = fixture.take()
        fixture.install("d")
        #expect(fixture.take().first == "dropped p1 d apns.discarded-unregistered-from-storage")
        fixture.set("d", #"{"online":true}"#)
        #expect(fixture.take() == ["state d"])
    }

    @Test func `an uninstalled app leaves its topics`() {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        fixture.subscribe("d", to: "news")
        fixture.uninstall("d")
        fixture.message(#""topic":"news""#)
        #expect(fixture.lastFindings.contains("fcm.no-subscribers"))
        fixture.install("d")
        #expect(fixture.device("d").topics.isEmpty)
    }

    @Test func `a person acts on what is shown, and on nothing else`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.push(to: "d")
        let key = try #require(fixture.device("d").phone.shade.entries.first?.key)
        _ = fixture.takeEvents()
        #expect(fixture.perform(.act(.open("other")), on: "d")?.pointer == "/notification")
        #expect(fixture.takeEvents().isEmpty)
        #expect(fixture.perform(.act(.open(key)), on: "d") == nil)
        #expect(fixture.takeShown().contains { $0.hasPrefix("opened p1 d") })
        #expect(fixture.device("d").phone.shade.entries.isEmpty)
    }

    @Test func `an app that was force-stopped gets its messages when the person opens it`() {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        fixture.perform(.forceQuit, on: "d")
        #expect(fixture.device("d").state.forceStopped || fixture.device("d").state.app == .forceQuit)
        fixture.set("d", #"{"forceStopped":true}"#)
        fixture.message(to: "d")
        _ = fixture.take()
        fixture.perform(.launch, on: "d")
        #expect(fixture.take().contains("delivered p1 d fcm.delivered-after-stop after 0"))
    }
}
