import PushpitTesting
import Testing

/// Frames are written over the last of their kind: whatever changes between two pushes, each frame has its own values.
@Suite struct FrameWriterTests {
    static let count = 130
    static let payloads: [TestJSON] = [
        ["aps": ["alert": "one"]], ["aps": ["alert": ["title": "T", "body": "two"], "sound": "s"]],
        ["aps": ["alert": "thrée"], "k": [1, "x"]],
    ]
    static let priorities: [String?] = [nil, "5", "10"]

    /// Runs of equal pushes, then another payload, another field, or both.
    private func variant(_ number: Int) -> (payload: TestJSON, priority: String?) {
        (Self.payloads[number / 5 % 3], Self.priorities[number / 7 % 3])
    }

    private func sendAll(_ gateway: TestGateway, to tokens: [String]) throws {
        for number in 0..<Self.count {
            let (payload, priority) = variant(number)
            let fields: TestFields = priority.map { ["apns-priority": $0] } ?? [:]
            try #expect(gateway.push(payload, to: tokens[number % tokens.count], fields: fields).status == 200)
        }
    }

    /// Three frames for each push: the push, that it was delivered, and that it is shown.
    private func check(_ frames: [TestJSON], _ numbers: StrideTo<Int>, attempt: TestJSON = 1) throws {
        let seqs = frames.compactMap { $0["seq"].int }
        #expect(seqs == seqs.sorted() && seqs.count == frames.count)
        var ids: Set<String> = []
        for (place, number) in numbers.enumerated() {
            let (push, delivered, shown) = (frames[3 * place], frames[3 * place + 1], frames[3 * place + 2])
            let (payload, priority) = variant(number)
            #expect(push["type"] == "push" && delivered["kind"] == "delivered" && shown["kind"] == "presented")
            #expect(push["payload"] == payload)
            #expect(push["headers"]["apns-priority"].string == priority)
            #expect(push["attempt"] == attempt && push["storedFor"] == 0 && push["seq"] == delivered["seq"])
            #expect(delivered["data"] == ["outcome": "Delivered to Device"])
            #expect([delivered["push"], shown["push"], shown["data"]["push"]].allSatisfy { $0 == push["id"] })
            #expect(shown["data"]["key"].string == "n\(place + 1)")
            #expect(shown["data"]["time"] == shown["time"])
            let alert = payload["aps"]["alert"]
            #expect(shown["data"]["title"].string == alert["title"].string ?? "")
            #expect(shown["data"]["body"] == (alert.string == nil ? alert["body"] : alert))
            ids.insert(try #require(push["id"].string))
        }
        #expect(3 * ids.count == frames.count)
    }

    @Test func `each frame has its own values`() throws {
        try TestGateway.run { gateway in
            let (one, other) = (try gateway.phone(), try gateway.phone())
            let raw = try gateway.phone(watching: other, hello: ["wants": ["raw"]])
            try sendAll(gateway, to: [one.token(), other.token()])
            try check(one.received(), stride(from: 0, to: Self.count, by: 2))
            try check(other.received(), stride(from: 1, to: Self.count, by: 2))
            let pushes = try raw.received()
            #expect(pushes.count == Self.count / 2)
            for (push, number) in zip(pushes, stride(from: 1, to: Self.count, by: 2)) {
                #expect(push["payload"] == variant(number).payload)
                #expect(push["raw"].string == base64(variant(number).payload.bytes))
            }
        }
    }

    @Test func `frames that come again differ in the attempt only`() throws {
        try TestGateway.run { gateway in
            let first = try gateway.phone()
            try sendAll(gateway, to: [first.token()])
            let frames = try first.received()
            try check(frames, stride(from: 0, to: Self.count, by: 1))
            let second = try gateway.phone(watching: first, hello: ["resume": ["after": first.welcome["seq"]]])
            let again = try second.received()
            try check(again, stride(from: 0, to: Self.count, by: 1), attempt: 2)
            #expect(again.map { $0.keys.contains("attempt") ? $0.merging(["attempt": 1]) : $0 } == frames)
        }
    }

    @Test func `devices of several platforms each get their own form of a message, in any order`() throws {
        try TestGateway.run { gateway in
            let phones = try ["android", "ios", "web", "android", "web", "ios"].map {
                let phone = try gateway.phone($0, hello: ["wants": ["push"]])
                try phone.ask("topic", ["op": "subscribe", "name": "t"])
                return phone
            }
            for number in 0..<3 {
                try gateway.sendFCM(["topic": "t", "notification": ["title": "T\(number)"], "data": ["n": "\(number)"]])
            }
            for phone in phones {
                let pushes = try phone.pushes()
                #expect(pushes.count == 3)
                for (number, push) in pushes.enumerated() {
                    let payload = push["payload"]
                    switch phone.device["platform"] {
                    case "ios":
                        #expect(payload["aps"]["alert"] == ["title": "T\(number)"])
                        #expect(payload["n"] == "\(number)")
                        #expect(payload["google.c.fid"] == phone.device["tokens"]["fcm"]["fid"])
                    default:
                        #expect(payload["notification"]["title"] == "T\(number)")
                        #expect(payload["data"] == ["n": "\(number)"])
                    }
                }
            }
        }
    }

    @Test func `iPhones get the same message, each with its own installation id`() throws {
        try TestGateway.run { gateway in
            let fids = ["short", #"quo"ted\id"#, "a-much-longer-installation-id", "short2"]
            let phones = try fids.map { fid in
                let tokens: TestJSON = ["fcm": ["token": "\(fid):APA91b"]]
                let phone = try gateway.phone("ios", ["tokens": tokens], hello: ["wants": ["push"]])
                try phone.ask("topic", ["op": "subscribe", "name": "t"])
                return phone
            }
            for number in 0..<2 {
                let nested: TestJSON = ["google.c.fid": "mine", "n": TestJSON("\(number)")]
                let apns: TestJSON = [
                    "payload": ["aps": ["mutable-content": 1], "x": nested],
                    "fcm_options": ["image": "https://example.com/i.png"],
                ]
                let message: TestJSON = ["topic": "t", "notification": ["title": "T"], "apns": apns]
                try #expect(gateway.sendFCM(message).status == 200)
            }
            for (phone, fid) in zip(phones, fids) {
                let pushes = try phone.pushes()
                #expect(pushes.count == 2)
                for (number, push) in pushes.enumerated() {
                    let payload = push["payload"]
                    #expect(payload["google.c.fid"].string == fid)
                    #expect(payload["x"]["google.c.fid"] == "mine" && payload["x"]["n"].string == "\(number)")
                    #expect(payload["google.c.sender.id"] == "900000000000")
                    #expect(payload["fcm_options"]["image"] == "https://example.com/i.png")
                }
            }
        }
    }

    private func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[number >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }
}
