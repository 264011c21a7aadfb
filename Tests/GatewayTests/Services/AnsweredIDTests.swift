import PushpitTesting
import Testing

@testable import Gateway

/// The ids in the answer to a push are in the list of messages, in events, in frames and in the log, and are filters.
@Suite struct AnsweredIDTests {
    private static let own = "5F0C1B9A-1111-2222-3333-0123456789AB"

    private func events(_ gateway: TestGateway, _ query: String) throws -> [TestJSON] {
        let answer = try gateway.send(
            "GET", "/api/v1/events?since=0&follow=false&\(query)", headers: EventStreamTests.lines)
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.text.split(separator: "\n").map { try TestJSON(parsing: Array($0.utf8)) }
    }

    private func found(_ gateway: TestGateway, _ query: String) throws -> [String] {
        try gateway.ask("GET", "/messages?\(query)")["messages"].array.compactMap { $0["id"].string }
    }

    /// The answers to a push with a generated id, one with the sender's id, and one that is refused.
    private func sendThree(_ gateway: TestGateway, to token: String, on connection: TestConnection) throws
        -> [TestResponse]
    {
        let pushes: [(String, TestFields)] = [(token, [:]), (token, ["apns-id": Self.own]), ("zz", [:])]
        return try pushes.map { token, fields in
            try gateway.startPush(to: token, fields: fields, on: connection).answer()
        }
    }

    @Test(arguments: [false, true]) func `the ids of APNs are in messages, events and frames`(isSandbox: Bool) throws {
        try TestGateway.run { gateway in
            let environment: TestJSON = ["environment": isSandbox ? "sandbox" : "production"]
            let phone = try gateway.phone("ios", environment, hello: ["wants": ["push"]])
            let connection = try gateway.connect(hostName: isSandbox ? "api.sandbox.push.apple.com" : "localhost")
            let answers = try sendThree(gateway, to: phone.token(), on: connection)
            #expect(answers.map(\.status) == [200, 200, 400])
            #expect(answers[1]["apns-id"] == Self.own)
            let told = try events(gateway, "kind=accepted,refused")
            for (index, answer) in answers.enumerated() {
                let (id, unique) = (try #require(answer["apns-id"]), answer["apns-unique-id"])
                #expect((unique != nil) == isSandbox)
                let message = try gateway.ask("GET", "/messages/p\(index + 1)")
                #expect(message["apnsId"].string == id && message["apnsUniqueId"].string == unique)
                #expect(!message.keys.contains("name"))
                #expect(message.keys.contains("apnsUniqueId") == isSandbox)
                let data = told[index]["data"]
                #expect(data["apnsId"].string == id && data["apnsUniqueId"].string == unique)
                if index < 2 {
                    let frame = try phone.next("push")
                    #expect(frame["apnsId"].string == id && frame["apnsUniqueId"].string == unique)
                    #expect(frame["id"].string == "p\(index + 1)" && !frame.keys.contains("name"))
                }
                let pairs = [("apnsId", id)] + (unique.map { [("apnsUniqueId", $0)] } ?? [])
                for (name, id) in pairs {
                    for text in [id, id.lowercased(), id.uppercased()] {
                        try #expect(found(gateway, "\(name)=\(text)") == ["p\(index + 1)"])
                        try #expect(gateway.expect([name: TestJSON(text)], .exactly(1)) == ["p\(index + 1)"])
                        let kinds = try events(gateway, "\(name)=\(text)").map { $0["kind"] }
                        #expect(kinds == (index < 2 ? ["accepted", "delivered", "presented"] : ["refused"]))
                    }
                }
            }
            try #expect(found(gateway, "apnsId=\(Self.own)&outcome=refused") == [])
            try #expect(events(gateway, "apnsId=no-such-id") == [])
        }
    }

    @Test func `frames over the same template have their own ids`() throws {
        try TestGateway.run { gateway in
            let phones = try ["sandbox", "production"].map {
                try gateway.phone("ios", ["environment": TestJSON($0)], hello: ["wants": ["push"]])
            }
            let connections = try [
                gateway.connect(hostName: "api.sandbox.push.apple.com"), gateway.connect(hostName: "localhost"),
            ]
            for number in 0..<12 {
                let index = number / 3 % 2
                let fields: TestFields = number % 5 == 4 ? ["apns-id": Self.own] : [:]
                let answer = try gateway.startPush(
                    to: phones[index].token(), fields: fields, on: connections[index]
                ).answer()
                let frame = try phones[index].next("push")
                #expect(answer.status == 200 && frame["apnsId"].string == answer["apns-id"])
                #expect(frame["apnsUniqueId"].string == answer["apns-unique-id"])
            }
        }
    }

    @Test func `a resuming client gets the same ids`() throws {
        try TestGateway.run { gateway in
            let first = try gateway.phone("ios", hello: ["wants": ["push"]])
            let ids = try (0..<3).map { _ in try #require(gateway.push(to: first.token())["apns-id"]) }
            let second = try gateway.phone(
                watching: first, hello: ["wants": ["push"], "resume": ["after": first.welcome["seq"]]])
            try #expect(second.received().map { $0["apnsId"].string } == ids)
        }
    }

    @Test func `a broadcast is found by its request id`() throws {
        try TestGateway.run { gateway in
            let channel = try gateway.makeChannel()
            let id = try #require(gateway.broadcast(["a": 1], to: channel)["apns-request-id"])
            let message = try gateway.ask("GET", "/messages")["messages"][0]
            #expect(message["apnsId"].string == id)
            try #expect(found(gateway, "apnsId=\(id.lowercased())") == [message["id"].string ?? ""])
            #expect(gateway.events().compactMap(\.id) == [id])
        }
    }

    @Test func `the name of an FCM message is in messages, events and frames`() throws {
        try TestGateway.run { gateway in
            for platform in ["android", "ios", "web"] {
                let phone = try gateway.phone(platform, hello: ["wants": ["push"]])
                let target: TestJSON = ["token": TestJSON(phone.token("fcm")), "notification": ["title": "x"]]
                let name = try #require(gateway.sendFCM(target).json["name"].string)
                #expect(name.hasPrefix("projects/shop/messages/"))
                let push = try phone.next("push")
                #expect(push["name"].string == name && !push.keys.contains("apnsId"))
                let message = try gateway.ask("GET", "/messages")["messages"][0]
                #expect(message["name"].string == name && !message.keys.contains("apnsId"))
                let last = String(name.split(separator: "/").last ?? "")
                for text in [name, last] {
                    let encoded = text.replacing("%", with: "%25")
                    try #expect(found(gateway, "name=\(encoded)").map { TestJSON($0) } == [message["id"]])
                    try #expect(gateway.expect(["name": TestJSON(text)]).map { TestJSON($0) } == [message["id"]])
                    try #expect(events(gateway, "name=\(encoded)&kind=accepted")[0]["data"]["name"].string == name)
                }
                try #expect(found(gateway, "name=projects/other/messages/\(last.replacing("%", with: "%25"))") == [])
            }
            #expect(gateway.events().compactMap(\.id).count == 3)
        }
    }

    @Test func `each device of a topic gets the name of its message`() throws {
        try TestGateway.run { gateway in
            let phones = try ["android", "ios"].map {
                try gateway.phone($0, ["project": "shop"], hello: ["wants": ["push"]])
            }
            for phone in phones { try gateway.ask("PUT", "/topics/news/devices/\(phone.id)", status: 204) }
            for target in [["topic": "news"], ["condition": "'news' in topics"]] as [TestJSON] {
                let name = try gateway.sendFCM(target.merging(["notification": ["title": "x"]])).json["name"]
                for phone in phones { try #expect(phone.next("push")["name"] == name) }
                try #expect(gateway.ask("GET", "/messages")["messages"][0]["name"] == name)
            }
        }
    }

    @Test func `a dry run has the name that its answer gave, and a refused message has none`() throws {
        try TestGateway.run { gateway in
            let topic: TestJSON = ["topic": "news", "notification": ["title": "x"]]
            let body: TestJSON = ["validate_only": true, "message": topic]
            let answer = try gateway.sendFCM(body: body.bytes)
            try #expect(gateway.ask("GET", "/messages/p1")["name"] == answer.json["name"])
            #expect(answer.json["name"].string?.hasPrefix("projects/shop/messages/") == true)
            try #expect(gateway.sendFCM(["topic": "news", "titel": 1]).status == 400)
            try #expect(!gateway.ask("GET", "/messages/p2").keys.contains("name"))
        }
    }

    @Test func `the line of a push in the log, in JSON, has its ids`() throws {
        var configuration = TestConfiguration()
        configuration.logsJSON = true
        try TestGateway.run(.embedded, configuration) { gateway in
            func line(_ word: String) throws -> TestJSON {
                let line = gateway.embedded.log.lines.last ?? ""
                let json = try TestJSON(parsing: Array(line.utf8))
                #expect(json["message"].string == word, "\(line)")
                return json
            }
            let phone = try gateway.phone("ios")
            let sandbox = try gateway.connect(hostName: "api.sandbox.push.apple.com")
            let accepted = try gateway.push(to: phone.token())
            try #expect(line("accepted")["apnsId"].string == accepted["apns-id"])
            let refused = try gateway.startPush(to: phone.token(), on: sandbox).answer()
            #expect(refused.status == 400)
            let told = try line("refused")
            #expect(
                told["apnsId"].string == refused["apns-id"] && told["apnsUniqueId"].string == refused["apns-unique-id"])
            #expect(told["because"].string?.isEmpty == false)
            let target: TestJSON = ["token": TestJSON(phone.token("fcm")), "notification": ["title": "x"]]
            let name = try gateway.sendFCM(target).json["name"].string ?? "-"
            try #expect(line("accepted")["name"].string == name)
            let odd = try gateway.push(
                ["aps": ["content-available": 1, "alert": "x"]], fields: ["apns-push-type": "background"])
            try #expect(line("accepted")["apnsId"].string == odd["apns-id"])
            try #expect(line("accepted")["findings"].array.isEmpty == false)
            try gateway.setFault(["answer": ["status": 503]])
            let failed = try gateway.push(to: phone.token())
            try #expect(
                line("refused")["apnsId"].string == failed["apns-id"] && line("refused")["fault"].string == "f1")
        }
    }
}
