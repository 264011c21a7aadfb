import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// What apps report to Adobe Campaign, and how it is joined to pushes.
struct TrackingTests {
    private let host = TestHost()

    private func makePhone(_ tracking: JSONValue = ["profile": "adobe", "ecid": "E"]) throws -> String {
        token(of: try host.makeDevice("ios", ["state": ["app": "foreground"], "tracking": tracking]))
    }

    private func payload(_ broadlog: JSONValue) -> JSONValue {
        ["aps": ["alert": ["title": "T"]], "_mId": broadlog, "_dId": "56c4"]
    }

    /// A hit that a test sends to the collector.
    private func hit(_ query: String, _ method: Method = .get) -> Int? {
        host.box.engine.collect(
            TestHost.request(method, "/r/?\(query)", [], [("host", "campaign.example")]), at: host.now)?
            .status
    }

    private func hits() throws -> [[String]] {
        try host.ask(.get, "/tracking").at("hits").elements.map { hit in
            [hit.at("action").text ?? ""] + hit.at("flags").elements.compactMap(\.text)
        }
    }

    @Test func `hits of a phone and of other clients are joined to the push`() throws {
        host.push(to: try makePhone(), body: payload("h138a"))
        let push = try host.newest().at("id")
        #expect(hit("id=h138a,56c4,2&mcId=E") == 200)
        #expect(hit("id=h138a%2C56c4%2C1&mcid=E", .post) == 200)
        #expect(hit("id=h138a,56c4,1&mcId=E") == 200)
        #expect(try hits() == [["7"], ["2"], ["1"], ["1", "duplicate"]])
        let tracking = try host.ask(.get, "/tracking")
        #expect(
            tracking.at("hits", 0) == [
                "time": .string(host.now.description), "action": "7", "broadlogId": "h138a", "deliveryId": "56c4",
                "mcId": "E",
                "push": push, "flags": [],
            ])
        #expect(tracking.at("hits").elements.allSatisfy { $0.at("push") == push })
        #expect(tracking.at("pushes") == [["push": push, "reported": ["7", "2", "1", "1"], "expected": ["7"]]])
        #expect(try host.ask(.get, "/tracking?push=\(push.text ?? "")") == tracking)
        #expect(try host.ask(.get, "/tracking?push=p9999") == ["hits": [], "pushes": [], "next": nil])
        // The number of a push is its id only with the letter.
        #expect(try host.ask(.get, "/tracking?push=\(push.text?.dropFirst() ?? "")").at("hits") == [])
    }

    @Test func `hits and pushes are listed page by page`() throws {
        let phone = try makePhone()
        for number in 1...3 { host.push(to: phone, body: payload(.string("h\(number)"))) }
        #expect(hit("id=h1,56c4,2&mcId=E") == 200)
        let whole = try host.ask(.get, "/tracking")
        #expect(whole.at("hits").elements.count == 4 && whole.at("pushes").elements.count == 3)
        #expect(whole.at("next") == .null)
        let pages = try ["", "&cursor=2"].map { try host.ask(.get, "/tracking?limit=2\($0)") }
        #expect(pages.map { $0.at("next") } == ["2", nil])
        for list: JSONValue.Step in ["hits", "pushes"] {
            #expect(pages.flatMap { $0.at(list).elements } == whole.at(list).elements)
        }
    }

    /// A rule that posts beside the app's own code reports the same hit by another way.
    @Test func `a hit that arrives in two ways counts twice and is marked`() throws {
        host.push(to: try makePhone(), body: payload("h138b"))
        #expect(hit("id=h138b,56c4,7&mcId=E") == 200)
        #expect(try hits() == [["7"], ["7", "duplicate"]])
        let push = try host.ask(.get, "/tracking").at("pushes", 0)
        #expect(push.at("expected") == ["7"] && push.at("reported") == ["7", "7"])
    }

    static let odd: [(String, Int, [String])] = [
        ("id=h1,2,7&mcId=E", 200, ["7", "unknownId"]),
        ("id=h1,2,1&mcId=E", 200, ["1", "unknownId", "openWithoutClick"]),
        ("id=h1,2,d57ff5&mcId=E", 200, ["d57ff5", "unknownId", "link"]), ("id=,2,7&mcId=E", 200, ["7", "noId"]),
        ("mcId=E", 400, []),
        ("id=h1,2", 400, []), ("id=h1,2,7,8", 400, []), ("", 400, []),
    ]

    @Test(arguments: odd)
    func `an unexpected hit is marked, and a hit without its three parts is refused`(
        _ query: String, _ status: Int, _ expected: [String]
    ) throws {
        #expect(hit(query) == status)
        #expect(try hits() == (expected.isEmpty ? [] : [expected]))
    }

    @Test func `a push that reports nothing says why`() throws {
        let phone = try makePhone(["profile": "adobe"])
        host.push(to: phone, body: payload("h1").merging(["_acsDeliveryTracking": "off"]))
        host.push(to: phone, body: payload(1))
        let reasons = try host.ask(.get, "/tracking").at("pushes").elements.map { $0.at("why").text ?? "" }
        #expect(reasons.count == 2 && reasons[0].contains("_acsDeliveryTracking") && reasons[1].contains("_mId"))
    }

    /// The other calls that Adobe's SDK makes; nil for one that is not the collector's.
    static let others: [(Method, String, Int?)] = [
        (.post, "/rest/head/mobileAppV5/KEY/subscriptions/E", 200),
        (.post, "/rest/head/mobileAppV5/KEY/locations/", 200),
        (.post, "/rest/head/other/KEY", nil), (.post, "/rest/head/mobileAppV5/KEY/other/", nil), (.get, "/s/", nil),
        (.delete, "/r/", 405), (.head, "/r/?id=a,b,c", 200), (.get, "/r?id=a,b,c", 200),
    ]

    @Test(arguments: others)
    func `the collector answers what the SDK calls`(_ method: Method, _ path: String, _ status: Int?) {
        #expect(host.box.engine.collect(TestHost.request(method, path, [], []), at: host.now)?.status == status)
    }
}
