import Devices
import PushCore
import Testing

@testable import Fetching

/// What happens to events and reports after an attempt to deliver them, and how they are written.
@Suite struct DeliveryRuleTests {
    @Test(
        arguments: [
            (200, "delivered", "delivered"), (204, "delivered", "gives up"), (299, "delivered", "gives up"),
            (301, "gives up", "gives up"), (400, "gives up", "gives up"), (404, "gives up", "gives up"),
            (408, "repeats", "repeats"), (429, "repeats", "gives up"), (500, "repeats", "gives up"),
            (503, "repeats", "repeats"), (504, "repeats", "repeats"),
        ])
    func `the status decides whether a request is delivered, sent again or given up`(
        status: Int, webhook: String, postback: String
    ) {
        #expect(Self.word(Webhook.rule.next(after: .success(HTTPAnswer(status: status)), attempts: 1)) == webhook)
        #expect(Self.word(Postbacks.rule.next(after: .success(HTTPAnswer(status: status)), attempts: 1)) == postback)
    }

    private static func word(_ next: DeliveryRule.Next) -> String {
        switch next {
        case .delivered: "delivered"
        case .again: "repeats"
        case .giveUp: "gives up"
        }
    }

    @Test(
        arguments: [
            (.unreachable, true), (.late, true), (.broken("x"), true), (.unknownHost("x"), true),
            (.refused(.thisGateway), false), (.noLibrary("x"), false), (.unusableURL, false), (.namesUser, false),
        ] as [(HTTPFailure, Bool)])
    func `a request is sent again only after a failure that may be transient`(failure: HTTPFailure, isRepeated: Bool) {
        let word = Self.word(Webhook.rule.next(after: .failure(failure), attempts: 1))
        #expect(word == (isRepeated ? "repeats" : "gives up"))
    }

    @Test func `each pause has its length, and after the last one the request is given up`() {
        let outcome: Result<HTTPAnswer, HTTPFailure> = .success(HTTPAnswer(status: 503))
        let reason = "the answer has the status 503"
        let pauses = [500, 1000, 2000, 4000, 8000] as [UInt64]
        for (index, pause) in pauses.enumerated() {
            let next = Webhook.rule.next(after: outcome, attempts: index + 1)
            #expect(next == .again(after: pause, because: reason))
        }
        #expect(Webhook.rule.next(after: outcome, attempts: 6) == .giveUp(reason))
        #expect(Postbacks.rule.next(after: outcome, attempts: 10) == .again(after: 30_000, because: reason))
        #expect(Postbacks.rule.next(after: outcome, attempts: 11) == .giveUp(reason))
    }

    @Test func `lines of events become one body`() {
        let (bytes, count) = Webhook.body(of: Array("{\"seq\":1}\n{\"seq\":2}\n".utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"events":[{"seq":1},{"seq":2}]}"#)
        #expect(count == 2)
        #expect(Webhook.body(of: Array("{\"seq\":1}\n".utf8)).count == 1)
    }

    @Test(arguments: [
        ("http://c.test", "http://c.test/r/?id=h1f,2a,7&mcId=e"),
        ("https://c.test:1/a/", "https://c.test:1/a/r/?id=h1f,2a,7&mcId=e"),
    ]) func `a report has the URL of Adobe's SDK`(prefix: String, url: String) {
        let hit = TrackingHit(push: nil, action: "7", broadlog: "h1f", delivery: "2a", ecid: "e")
        #expect(Postbacks.url(of: hit, after: prefix) == url)
    }

    @Test func `what a push contains cannot change the host or add a parameter`() {
        let hit = TrackingHit(push: nil, action: "7", broadlog: "@x.test/?&#\r\n ü", delivery: "%2C,", ecid: "a=b")
        #expect(
            Postbacks.url(of: hit, after: "http://c.test")
                == "http://c.test/r/?id=%40x.test%2F%3F%26%23%0D%0A%20%C3%BC,%252C%2C,7&mcId=a%3Db")
    }
}
