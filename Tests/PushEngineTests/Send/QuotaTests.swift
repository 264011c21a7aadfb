import Devices
import FCM
import PushCore
import Testing

@testable import PushEngine

/// The quotas for messages and topics, if they are enforced.
@Suite struct QuotaTests {
    @Test func `with real quotas a device takes 240 messages a minute`() {
        let fixture = EngineFixture { $0.enforcesQuotas = true }
        fixture.make("a", .android)
        fixture.make("b", .android)
        for _ in 0..<240 { #expect(fixture.message(to: "a").status == 200) }
        _ = fixture.take()
        let refused = fixture.message(to: "a")
        #expect(refused.description == "429 QUOTA_EXCEEDED")
        #expect(!refused.text.contains("Topic"))
        #expect(refused.headers["retry-after"] == nil)
        #expect(fixture.take().first?.hasPrefix("refused p241") == true)
        #expect(fixture.message(to: "b").status == 200)
        fixture.advance(250)
        #expect(fixture.message(to: "a").status == 200)
        #expect(fixture.message(to: "a").status == 429)
        let free = EngineFixture()
        free.make("a", .android)
        for _ in 0..<241 { #expect(free.message(to: "a").status == 200) }
    }

    @Test func `with real quotas a project sends 600,000 requests a minute`() {
        let fixture = EngineFixture { $0.enforcesQuotas = true }
        fixture.make("a", .android)
        var isFree = true
        while isFree { isFree = fixture.engine.quotas?.take(from: EngineFixture.project, at: fixture.now) ?? false }
        let refused = fixture.message(to: "a")
        #expect(refused.description == "429 RESOURCE_EXHAUSTED")
        #expect(refused.headers["retry-after"] == "60")
        #expect(fixture.message(to: "a", project: "other").status == 200)
    }

    @Test func `with real quotas messages that replace each other are throttled`() {
        let fixture = EngineFixture { $0.enforcesQuotas = true }
        fixture.make("a", .android)
        for _ in 0..<20 { fixture.message(to: "a", #""android":{"collapseKey":"k"}"#) }
        _ = fixture.take()
        fixture.message(to: "a", #""android":{"collapseKey":"k"}"#)
        #expect(fixture.take() == ["accepted p21 a 200", "stored p21 a fcm.pending"])
        // What is now or never is not throttled, nor is what replaces nothing.
        fixture.message(to: "a", #""android":{"collapseKey":"k","ttl":"0s"}"#)
        #expect(fixture.take().last == "delivered p22 a fcm.delivered")
        fixture.message(to: "a")
        #expect(fixture.take().last == "delivered p23 a fcm.delivered")
        fixture.message(to: "a", #""android":{"collapseKey":"k"}"#)
        #expect(fixture.take().last == "collapsed p21 a fcm.collapsed by p24")
        fixture.advance(179_999)
        #expect(fixture.take() == [])
        fixture.advance(1)
        #expect(fixture.take() == ["delivered p24 a fcm.delivered-after-throttle after 180000"])
    }

    @Test func `with real quotas a thousand topic messages may be under way`() {
        let fixture = EngineFixture { $0.enforcesQuotas = true }
        fixture.make("a", .android)
        fixture.subscribe("a", to: "news")
        for _ in 0..<1000 { #expect(fixture.message(#""topic":"news""#).status == 200) }
        let refused = fixture.message(#""topic":"news""#)
        #expect(refused.description == "429 QUOTA_EXCEEDED")
        #expect(refused.text.contains("Topic quota exceeded."))
        #expect(fixture.message(to: "a").status == 200)
        // Another project has its own thousand.
        #expect(fixture.message(#""topic":"news""#, project: "other").status == 200)
        fixture.engine.continueFanOuts(2, at: fixture.now)
        #expect(fixture.message(#""topic":"news""#).status == 200)
    }

    @Test func `with real quotas a project changes 3000 topics a second`() {
        let fixture = EngineFixture { $0.enforcesQuotas = true }
        fixture.make("a", .android, #""project":"demo""#)
        for _ in 0..<1500 {
            #expect(fixture.perform(.setTopic("news", isSubscribed: true), on: "a") == nil)
            #expect(fixture.perform(.setTopic("news", isSubscribed: false), on: "a") == nil)
        }
        #expect(fixture.perform(.setTopic("news", isSubscribed: true), on: "a") != nil)
        fixture.advance(1)
        #expect(fixture.perform(.setTopic("news", isSubscribed: true), on: "a") == nil)
    }

    @Test func `a device at the index of a deleted one has its own quotas`() {
        let fixture = EngineFixture { $0.enforcesQuotas = true }
        fixture.make("a", .android)
        for _ in 0..<241 { fixture.message(to: "a") }
        fixture.delete("a")
        fixture.make("b", .android)
        #expect(fixture.message(to: "b").status == 200)
    }
}
