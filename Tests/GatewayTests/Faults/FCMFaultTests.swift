import PushpitTesting
import Testing

@testable import Gateway

/// Faults on FCM messages: which are hit, and what they answer.
@Suite struct FCMFaultTests {
    static let dead = "cDEADfirebase_instance:APA91b" + String(repeating: "Zz9-_", count: 26)
    static let unavailable: TestJSON = ["answer": ["status": 503, "reason": "UNAVAILABLE"]]

    /// What `match` says, and the messages that it hits.
    static let matches: [(match: TestJSON, hit: [String])] = [
        ([:], ["device", "topic", "other", "dead", "bad"]),
        (["provider": "fcm"], ["device", "topic", "other", "dead", "bad"]), (["provider": "apns"], []),
        (["token": "TOKEN"], ["device"]), (["token": "token"], []), (["topic": "news"], ["topic"]),
        (["topic": "NEWS"], []), (["app": "p"], ["device", "topic"]), (["app": "q"], ["other", "dead", "bad"]),
        (["app": "com.example.app"], ["device"]), (["reason": "UNREGISTERED"], ["dead"]),
        (["reason": "INVALID_ARGUMENT"], ["bad"]), (["reason": "accepted"], ["device", "topic", "other"]),
        (["pushType": "alert"], []), (["app": "p", "topic": "news", "reason": "accepted"], ["topic"]),
        (["app": "q", "topic": "news"], []),
    ]

    @Test(arguments: matches.indices) func `a match says which messages are hit`(index: Int) throws {
        let (match, hit) = Self.matches[index]
        try TestGateway.run { gateway in
            let token = try gateway.phone("android", ["project": "p"], hello: ["wants": []]).token("fcm")
            let text = String(decoding: match.bytes, as: UTF8.self)
                .replacing("\"TOKEN\"", with: "\"\(token)\"")
                .replacing(":\"token\"", with: ":\"\(token.lowercased())\"")
            try gateway.setFault(
                ["answer": ["status": 418, "body": "hit"]], ["match": TestJSON(parsing: Array(text.utf8))])
            let messages: [(name: String, project: String, message: TestJSON)] = [
                ("device", "p", ["token": TestJSON(token)]), ("topic", "p", ["topic": "news"]),
                ("other", "q", ["topic": "t"]), ("dead", "q", ["token": TestJSON("unregistered:\(Self.dead)")]),
                ("bad", "q", ["token": "x"]),
            ]
            let found = try messages.filter { try gateway.sendFCM($0.message, project: $0.project).status == 418 }
            #expect(found.map(\.name) == hit)
            try #expect(gateway.ask("GET", "/faults")["faults"][0]["fired"].int == hit.count)
        }
    }

    /// Effects, the status, and how often a device gets the message.
    static let deliveries: [(effect: TestJSON, status: Int, copies: Int)] = [
        (unavailable, 503, 0), (["answer": ["status": 200]], 200, 0), ([["deliver": 1], unavailable], 503, 1),
        ([["deliver": 2], unavailable], 503, 2), (["deliver": 2], 200, 2), (["deliver": 1], 200, 1),
        (["deliver": 0], 200, 0), ([["deliver": 0], unavailable], 503, 0),
    ]

    @Test(arguments: deliveries.indices) func `a fault says how often a message arrives`(index: Int) throws {
        let (effect, status, copies) = Self.deliveries[index]
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", hello: ["wants": ["push"]])
            try phone.ask("topic", ["op": "subscribe", "name": "t"])
            for target: TestJSON in [["token": TestJSON(phone.token("fcm"))], ["topic": "t"]] {
                try gateway.setFault(effect, ["times": 1])
                try #expect(gateway.sendFCM(target.merging(["data": ["tag": "hit"]])).status == status)
                try #expect(gateway.sendFCM(target.merging(["data": ["tag": "end"]])).status == 200)
                let pushes = try phone.pushes()
                let tags = pushes.map { $0["payload"]["data"]["tag"].string }
                #expect(tags == Array(repeating: "hit", count: copies) + ["end"], "\(target)")
                #expect(Set(pushes.map { $0["id"].string }).count == min(copies, 1) + 1, "copies have one id")
            }
        }
    }

    @Test func `a fault of one service does not hit the other`() throws {
        for (provider, push, message) in [("apns", 503, 200), ("fcm", 200, 503)] {
            try TestGateway.run { gateway in
                try gateway.setFault(Self.unavailable, ["match": ["provider": TestJSON(provider)]])
                try #expect(gateway.push().status == push)
                try #expect(gateway.sendFCM(["topic": "t"]).status == message)
            }
        }
    }

    /// A status with FCM's word, and the prefix of a token that gets the same answer without a fault.
    @Test(
        arguments: [
            (404, "UNREGISTERED", "unregistered"), (403, "SENDER_ID_MISMATCH", "sender-id-mismatch"),
            (429, "QUOTA_EXCEEDED", "quota-exceeded"), (503, "UNAVAILABLE", "unavailable"),
            (500, "INTERNAL", "internal"), (401, "THIRD_PARTY_AUTH_ERROR", "third-party-auth-error"),
            (400, "INVALID_ARGUMENT", "invalid-argument"),
        ]) func `an error code of FCM is answered with its complete body`(status: Int, word: String, prefix: String)
        throws
    {
        try TestGateway.run { gateway in
            try gateway.setFault(["answer": ["status": TestJSON(status), "reason": TestJSON(word)]], ["nth": 2])
            let genuine = try gateway.sendFCM(["token": TestJSON("\(prefix):\(Self.dead)")])
            let answer = try gateway.sendFCM(["token": TestJSON(Self.dead)])
            #expect(answer.status == status)
            #expect(answer.text == genuine.text)
            #expect(answer.json["error"]["details"].array.map { $0["errorCode"].string } == [word])
        }
    }

    @Test func `an unknown error code is answered in Google's format`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["answer": ["status": 500, "reason": "OWN_WORD"]])
            let error = try gateway.sendFCM(["topic": "t"]).json["error"]
            #expect(error["code"] == 500)
            #expect(error["status"] == "INTERNAL")
            #expect(error["details"].array.map { $0["errorCode"] } == ["OWN_WORD"])
        }
    }

    @Test func `Retry-After is there only if the fault says so`() throws {
        try TestGateway.run { gateway in
            for form: TestJSON in [
                ["status": 503, "reason": "UNAVAILABLE"], ["status": 429, "reason": "QUOTA_EXCEEDED"],
                ["recorded": "quota-project"], ["recorded": "quota-device"], ["recorded": "topic-quota"],
            ] {
                for headers: TestJSON in [[:], ["Retry-After": "30"]] {
                    try gateway.setFault(["answer": form.merging(["headers": headers])], ["times": 1])
                    try #expect(gateway.sendFCM(["topic": "t"])["retry-after"] == headers["Retry-After"].string)
                }
            }
        }
    }

    @Test func `a fault's answer has error format 1 for a client that asks for it`() throws {
        try TestGateway.run { gateway in
            let text = "The service is currently unavailable."
            let expected: TestJSON = [
                "error": [
                    "code": 503, "message": TestJSON(text),
                    "errors": [["message": TestJSON(text), "domain": "global", "reason": "backendError"]],
                    "status": "UNAVAILABLE",
                ]
            ]
            try gateway.setFault(Self.unavailable)
            let path = "/v1/projects/demo/messages:send"
            let asked = try gateway.send(
                "POST", path, headers: ["authorization": "Bearer x", "x-goog-api-format-version": "1"],
                body: Array("{}".utf8))
            #expect(asked.json == expected)
            let compact = try gateway.send(
                "POST", path + "?$.xgafv=1&prettyPrint=false", headers: ["authorization": "Bearer x"],
                body: Array("{}".utf8))
            #expect(compact.json == expected)
            #expect(!compact.text.contains("\n"))
        }
    }

    @Test func `a fault's quota is that of the target`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["answer": ["status": 429, "reason": "QUOTA_EXCEEDED"]])
            for (target, isForTopic): (TestJSON, Bool) in [
                (["token": TestJSON(Self.dead)], false), (["topic": "t"], true), (["condition": "'a' in topics"], true),
                ([:], false),
            ] {
                let error = try gateway.sendFCM(target).json["error"]
                #expect((error["message"] == "Topic quota exceeded.") == isForTopic, "\(target)")
                #expect(error["details"].array.map { $0["errorCode"].string } == ["QUOTA_EXCEEDED"])
            }
        }
    }
}
