import Devices
import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// `--demo`.
struct DemoTests {
    private func filled() throws -> TestHost {
        let host = TestHost()
        try Demo.fill(host)
        return host
    }

    @Test func `the day has what the demo promises`() throws {
        let host = try filled()
        let messages = try host.messages("limit=1000")
        #expect(messages.count > 25)
        #expect(Set(messages.map { $0.at("provider").text }) == ["apns", "fcm"])
        let devices = try host.ask(.get, "/devices?limit=100").at("devices").elements
        #expect(Set(devices.map { $0.at("platform").text }) == ["ios", "android", "web"])
        #expect(Set(devices.map { $0.at("app").text }).count == 5 && devices.count == 10)
        func answers(_ query: String) throws -> [Int64?] { try host.messages(query).map { $0.at("status").int } }
        // An uninstalled app, a refused push, a token that is gone, and the fault.
        #expect(try answers("outcome=refused") == [503, 404, 410, 400])
        let refused = try host.messages("status=400")[0]
        #expect(refused.at("findings").elements.count >= 2)
        #expect(try host.ask(.get, "/devices/mia-rides/pending").at("pending").elements.count == 1)
        let fault = try host.ask(.get, "/faults").at("faults", 0)
        #expect(fault.at("state") == "active" && fault.at("fired") == 1)
        let tracking = try host.ask(.get, "/tracking")
        #expect(Set(tracking.at("hits").elements.map { $0.at("action").text }) == ["7", "2", "1"])
    }

    @Test func `what phones do is there, and each image reaches a notification`() throws {
        let host = try filled()
        let events = try host.events()
        let kinds = Set(events.compactMap { $0.at("kind").text })
        #expect(
            kinds.isSuperset(of: ["presented", "opened", "dismissed", "attachment", "unregistered", "fault"]),
            "\(kinds)")
        let attachments = events.filter { $0.at("kind") == "attachment" }
        #expect(
            attachments.allSatisfy { ["attached", "shown"].contains($0.at("data", "outcome").text) }, "\(attachments)")
        let activities = try host.messages("pushType=liveactivity")
        #expect(activities.count == 4 && activities.allSatisfy { $0.at("status") == 200 })
        #expect(activities.allSatisfy { $0.at("devices") == ["hana-rides"] })
        let background = try host.messages("pushType=background")
        #expect(background.count == 2)
        let topic = try host.messages("topic=morning-brief")[0]
        #expect(topic.at("devices").elements.count == 3)
    }

    @Test func `the day ends now, lies in order, and is the same on each start`() throws {
        let (one, two) = (try filled(), try filled())
        let times = try one.events().compactMap { $0.at("time").text }
        #expect(times == times.sorted())
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        #expect(times.last.map { $0 < "\(now)" } == true && times[0] < "\(now + -10 * 3_600_000)")
        for path in ["/devices?limit=100", "/devices/ann-shop/shade"] {
            #expect(try one.ask(.get, path) == two.ask(.get, path), "\(path)")
        }
        #expect(try one.events().map { $0.at("kind") } == two.events().map { $0.at("kind") })
        // What devices wait for is left to the gateway.
        #expect(!one.box.engine.isUntouched && one.box.engine.pendingWork.fanOuts.isEmpty)
        #expect(one.box.engine.pendingWork.wakes.allSatisfy { $0.due > now })
    }

    @Test(arguments: DemoPicture.allCases) func `each image is a PNG of its size`(_ picture: DemoPicture) throws {
        let host = try filled()
        let answer = try host.call(.get, "/media/content?url=\(picture.url)")
        #expect(answer.status == 200 && answer.contentType == "image/png" && answer.bytes == picture.png)
        #expect(picture.png.count < 40_000 && picture.png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(Array(picture.png[16..<24]) == [0, 0, 1, 64, 0, 0, 0, 180])
    }
}
