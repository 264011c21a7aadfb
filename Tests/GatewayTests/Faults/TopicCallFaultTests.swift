import PushpitTesting
import Testing

@testable import Gateway

/// Faults on Google's calls about topics.
@Suite struct TopicCallFaultTests {
    /// A call about the topic `t`, with places for the device's token and FID.
    struct TopicCall: Sendable {
        let method: String
        let path: String
        /// The body has `to` and the token.
        var namesToken = false
    }

    static let subscribing = [
        TopicCall(method: "POST", path: "/v1/projects/p/registrations/FID/topicSubscriptions?topicName=t"),
        TopicCall(method: "PATCH", path: "/v1/projects/p/registrations/FID/topicSubscriptions/t?allowMissing=true"),
        TopicCall(method: "POST", path: "/v1/projects/p/registrations/FID/topicSubscriptions/t:subscribe"),
        TopicCall(method: "POST", path: "/iid/v1:batchAdd", namesToken: true),
        TopicCall(method: "POST", path: "/iid/v1/TOKEN/rel/topics/t"),
    ]
    static let unsubscribing = [
        TopicCall(method: "DELETE", path: "/v1/projects/p/registrations/FID/topicSubscriptions/t"),
        TopicCall(method: "POST", path: "/iid/v1:batchRemove", namesToken: true),
        TopicCall(method: "POST", path: "/v1/projects/p/registrations/FID/topicSubscriptions/t:unsubscribe"),
    ]
    static let looking = [
        TopicCall(method: "GET", path: "/iid/info/TOKEN"),
        TopicCall(method: "GET", path: "/v1/projects/p/registrations/FID/topicSubscriptions"),
        TopicCall(method: "POST", path: "/iid/v1:batchImport"),
    ]
    static let unavailable: TestJSON = ["answer": ["status": 503, "reason": "UNAVAILABLE"]]

    /// A gateway with one Android device.
    private struct Bench {
        let gateway: TestGateway
        let token: String
        let fid: String

        init(_ gateway: TestGateway) throws {
            self.gateway = gateway
            let phone = try gateway.phone("android", ["project": "p"], hello: ["wants": []])
            token = phone.token("fcm")
            fid = try #require(phone.device["tokens"]["fcm"]["fid"].string)
        }

        func send(_ call: TopicCall) throws -> TestResponse {
            let body: TestJSON = call.namesToken ? ["to": "/topics/t", "registration_tokens": [TestJSON(token)]] : [:]
            return try gateway.send(
                call.method, fill(call.path),
                headers: [
                    "authorization": "Bearer x", "access_token_auth": "true", "content-type": "application/json",
                ], body: ["POST", "PATCH"].contains(call.method) ? body.bytes : [])
        }

        func fill(_ text: String) -> String {
            text.replacing("TOKEN", with: token).replacing("FID", with: fid)
        }

        /// Whether the device is subscribed to `t`.
        func isSubscribed() throws -> Bool {
            let path = "/v1/projects/p/registrations/\(fid)/topicSubscriptions"
            let answer = try gateway.send("GET", path, headers: ["authorization": "Bearer x"])
            return answer.json["topicSubscriptions"].array.map { $0["topicName"] } == ["t"]
        }
    }

    @Test(arguments: [true, false]) func `a replaced answer changes no subscription, unless the call is delivered`(
        subscribes: Bool
    ) throws {
        try TestGateway.run { gateway in
            let bench = try Bench(gateway)
            let back = subscribes ? Self.unsubscribing[0] : Self.subscribing[0]
            if !subscribes { try #expect(bench.send(back).status == 200) }
            for call in subscribes ? Self.subscribing : Self.unsubscribing {
                try gateway.setFault(Self.unavailable, ["times": 1])
                let answer = try bench.send(call)
                #expect(answer.status == 503)
                #expect(answer.json["error"]["status"] == "UNAVAILABLE", "\(call.path)")
                try #expect(bench.isSubscribed() == !subscribes, "\(call.path)")
                try gateway.setFault([["deliver": 1], Self.unavailable], ["times": 1])
                try #expect(bench.send(call).status == 503)
                try #expect(bench.isSubscribed() == subscribes, "\(call.path)")
                try #expect(bench.send(back).status == 200)
                try #expect(bench.isSubscribed() == !subscribes)
            }
        }
    }

    @Test func `pages that are neither a message nor a call about topics are never hit`() throws {
        try TestGateway.run { gateway in
            let paths = ["/token", "/fcm/send", "/batch", "/v1/projects/demo/messages", "/iid/other"]
            func statuses() throws -> [Int] {
                try paths.map { path in
                    try gateway.send(
                        "POST", path, headers: ["content-type": "application/x-www-form-urlencoded"],
                        body: Array("a=b".utf8)
                    ).status
                }
            }
            let before = try statuses()
            try gateway.setFault(Self.unavailable)
            try #expect(statuses() == before)
            try #expect(gateway.ask("GET", "/faults")["faults"][0]["fired"] == 0)
        }
    }

    /// What `match` says, and the calls that it hits and passes by.
    static let matches: [(match: TestJSON, hit: [TopicCall], passed: [TopicCall])] = {
        let changing = subscribing + unsubscribing
        let all = changing + looking
        let ofProject = all.filter { $0.path.contains("FID") }
        let ofInstanceID = all.filter { $0.path.contains("/iid/") }
        let unknown = "/v1/projects/p/registrations/\(String(repeating: "x", count: 22))/topicSubscriptions"
        return [
            ([:], all, []), (["provider": "fcm"], all, []), (["provider": "apns"], [], all),
            (["app": "p"], ofProject, ofInstanceID), (["app": "q"], [], all), (["token": "FID"], ofProject, []),
            (["topic": "u"], [], all), (["topic": "t"], changing, []),
            (["token": "TOKEN"], [subscribing[4], looking[0]], []),
            (["reason": "accepted"], [], [TopicCall(method: "GET", path: unknown)]),
        ]
    }()

    @Test(arguments: matches.indices) func `a match says which calls are hit`(index: Int) throws {
        let (match, hit, passed) = Self.matches[index]
        try TestGateway.run { gateway in
            let bench = try Bench(gateway)
            let match = try TestJSON(parsing: Array(bench.fill(String(decoding: match.bytes, as: UTF8.self)).utf8))
            for (calls, expected) in [(hit, 1), (passed, 0)] {
                for call in calls {
                    try gateway.setFault(Self.unavailable, ["match": match])
                    _ = try bench.send(call)
                    try #expect(gateway.ask("GET", "/faults")["faults"][0]["fired"].int == expected, "\(call)")
                    try gateway.ask("DELETE", "/faults", status: 204)
                }
            }
        }
    }
}
