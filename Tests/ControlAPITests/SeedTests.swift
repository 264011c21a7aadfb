import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// What a file sets up in a new gateway.
struct SeedTests {
    private let host = TestHost()

    private func plant(_ text: String) throws(ControlProblem) { try Seed(Array(text.utf8)).apply(to: host) }

    @Test func `devices, topics, faults, media and the clock are set up as the API does it`() throws {
        try plant(
            """
            {"devices":[{"id":"ann","platform":"ios","app":"com.example.app"},
              {"id":"b/ö %2F","platform":"android","app":"com.example.app","count":2},{"platform":"web","app":"a"}],
             "topics":{"news":["ann","b/ö %2F-2"],"x~y":["ann"]},
             "faults":[{"match":{"app":"a"},"effect":{"silence":true},"for":"1h"}],
             "media":[{"url":"https://example.com/a.png","size":7,"contentType":"image/png"}],
             "clock":{"set":"2028-02-03T04:05:06.000Z"}}
            """)
        let devices = try host.ask(.get, "/devices").at("devices").elements
        #expect(
            devices.compactMap { $0.at("id").text }.prefix(3) == ["ann", "b/ö %2F-1", "b/ö %2F-2"] && devices.count == 4
        )
        let topics = try host.ask(.get, "/topics").at("topics").elements
        #expect(topics.map { $0.at("name") } == ["news", "x~y"] && topics.map { $0.at("devices") } == [2, 1])
        let fault = try host.ask(.get, "/faults").at("faults", 0)
        #expect(fault.at("match", "app") == "a" && fault.at("state") == "active")
        #expect(try host.ask(.get, "/media").at("media", 0, "size") == 7)
        #expect(try host.ask(.get, "/clock").at("now") == "2028-02-03T04:05:06.000Z")
        // Everything else happens after that.
        #expect(try host.events("kind=registered").allSatisfy { $0.at("time") == "2028-02-03T04:05:06.000Z" })
    }

    @Test func `every part may be missing`() throws {
        for text in [
            "{}", #"{"devices":[],"topics":{},"faults":[],"media":[]}"#, #"{"devices":null,"clock":null}"#,
            #"{"topics":{"a":[]}}"#,
        ] {
            try plant(text)
        }
        let isUntouched = host.box.engine.isUntouched
        #expect(isUntouched)
    }

    @Test func `many devices take several turns`() throws {
        host.looksPerTurn = 1
        try plant(#"{"devices":[{"id":"d","platform":"ios","app":"a","count":200}]}"#)
        #expect(try host.stat("devices") == 200)
    }

    static let refusals: [(String, String, String)] = [
        ("", "", "not valid JSON"), ("[]", "", "must be an object"),
        (#"{"device":[]}"#, "/device", "Did you mean 'devices'?"),
        (#"{"devices":{}}"#, "/devices", "must be a list"), (#"{"faults":7}"#, "/faults", "must be a list"),
        (
            #"{"devices":[{"platform":"ios","app":"a"},{"platform":"x","app":"a"}]}"#, "/devices/1/platform",
            "ios, android or web"
        ),
        (#"{"devices":[7]}"#, "/devices/0", "must be an object"),
        (
            #"{"devices":[{"id":"a","platform":"ios","app":"a"},{"id":"a","platform":"ios","app":"a"}]}"#,
            "/devices/1/id", "already exists"
        ),
        (#"{"topics":[]}"#, "/topics", "must be an object"),
        (#"{"topics":{"a/b":7}}"#, "/topics/a~1b", "must have a list"),
        (#"{"topics":{"a":[7]}}"#, "/topics/a/0", "must be a string; it is 7"),
        (#"{"topics":{"a":["x"]}}"#, "/topics/a/0", "'x' does not exist"),
        (#"{"topics":{"a":[""]}}"#, "/topics/a/0", "does not exist"),
        (#"{"devices":[{"id":"d","platform":"android","app":"a"}],"topics":{"a b":["d"]}}"#, "/topics/a b/0", "topic"),
        (#"{"faults":[{"effect":{"silence":true}},{"effect":{"silens":true}}]}"#, "/faults/1/effect", "silens"),
        (#"{"media":[{"size":7}]}"#, "/media/0/url", "must be a URL"), (#"{"clock":{}}"#, "/clock", "exactly one"),
        (#"{"clock":{"advance":"x"}}"#, "/clock/advance", "must be a duration"),
        (
            #"{"media":[{"url":"a","base64":"\#(String(repeating: "a", count: 66_000))"}]}"#, "/media/0",
            "longer than 65536 bytes"
        ),
    ]

    @Test(arguments: refusals.indices) func `a mistake is named with its place`(_ index: Int) {
        let (text, pointer, reason) = Self.refusals[index]
        let problem = #expect(throws: ControlProblem.self) { try plant(text) }
        #expect(
            problem?.pointer == pointer && problem?.message.contains(reason) == true,
            "\(text.prefix(100)): \(problem as Any)")
    }
}
