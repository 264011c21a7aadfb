import ControlAPI
import HTTPCore
import JSON
import PushCore
import Testing

/// A host with one push of every kind: to tokens, topics and channels, accepted and refused.
struct Pushes {
    static let bread: JSONValue = [
        "aps": ["alert": ["title": "Breakfast", "body": "The bread is out"]], "order": 7, "it's": [true, nil],
    ]

    let host = TestHost()
    /// The messages by the names of the tests, oldest first.
    private(set) var named: [String: JSONValue] = [:]
    /// What a query may refer to as `{name}`: tokens, the first push's time, and the number of each message.
    private(set) var words: [String: String] = [:]

    init() throws {
        let (phone, droid) = try Self.makeDevices(host)
        let bearer = ("authorization", TestHost.bearer)
        let created = host.provide(
            .post, "/1/apps/\(TestHost.app)/channels", [bearer],
            Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8))
        let channel = created.header("apns-channel-id") ?? ""
        host.push(
            ["apns-push-type": "alert", "apns-collapse-id": "c1", "apns-priority": "10"], to: token(of: phone),
            body: Self.bread)
        host.moveClock(.to(host.now + 1000))
        host.push(to: token(of: phone), body: ["aps": ["alert": "x", "badge": "1"]])
        host.push(["apns-push-type": "voip"], topic: "com.example.other.voip")
        host.provide(
            .post, "/4/broadcasts/apps/\(TestHost.app)",
            [
                bearer, ("apns-channel-id", channel), ("apns-push-type", "liveactivity"),
                ("apns-expiration", "1900000000"),
            ], Array(#"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#.utf8))
        let text: JSONValue = ["data": ["n": "7"], "notification": ["title": "Hi"]]
        let android: JSONValue = ["priority": "high", "ttl": "60s", "collapse_key": "k"]
        host.send(text.merging(["token": .string(token(of: droid, "fcm")), "android": android]))
        host.send(["fid": droid.at("tokens", "fcm", "fid")])
        host.send(text.merging(["topic": "news"]))
        host.send(["condition": "'news' in topics"])
        host.send(["token": "x", "dat": [:]], project: "other")

        let names = ["alert", "wrong", "voip", "broadcast", "token", "fid", "topic", "condition", "odd"]
        let messages = try host.messages().reversed()
        guard messages.count == names.count else { throw Unexpected("\(messages.count) messages, not \(names.count)") }
        for (name, message) in zip(names, messages) {
            named[name] = message
            words[name] = String(message.at("seq").int ?? -1)
        }
        let more = [
            "phone": token(of: phone), "droid": token(of: droid, "fcm"), "channel": channel,
            "install": droid.at("tokens", "fcm", "fid").text ?? "", "time": named["alert"]?.at("time").text ?? "",
        ]
        words.merge(more) { $1 }
    }

    private static func makeDevices(_ host: TestHost) throws -> (phone: JSONValue, droid: JSONValue) {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        let droid = try host.makeDevice("android", app: "com.example.droid", ["id": "droid", "project": "shop"])
        try host.ask(.put, "/topics/news/devices/droid", status: 204)
        return (phone, droid)
    }

    func message(_ name: String) throws -> JSONValue {
        guard let message = named[name] else { throw Unexpected("there is no message \(name)") }
        return message
    }

    /// With the words in the place of `{name}`.
    func filled(_ query: String) -> String {
        query.split(separator: "{", omittingEmptySubsequences: false).enumerated().map { index, piece in
            let parts = piece.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            return index == 0 ? String(piece) : (words[String(parts[0])] ?? "?") + parts[1]
        }.joined()
    }

    /// Queries, and the messages that they find, newest first.
    static let filters = [
        ("", "odd condition topic fid token broadcast voip wrong alert"),
        ("provider=apns", "broadcast voip wrong alert"),
        ("provider=fcm", "odd condition topic fid token"), ("app=com.example.app", "broadcast wrong alert"),
        ("app=com.example.other", "voip"), ("app=shop", "condition topic fid token"),
        ("app=com.example.droid", "fid token"),
        ("app=com.example", ""), ("token={phone}", "wrong alert"), ("token=\(TestHost.token.uppercased())", "voip"),
        ("token={droid}", "token"), ("token={install}", "fid"), ("token=none", ""), ("device=phone", "alert"),
        ("device=droid", "condition topic fid token"), ("device=none", ""), ("topic=news", "topic"),
        ("topic=com.example.other.voip", "voip"), ("pushType=voip", "voip"), ("pushType=liveactivity", "broadcast"),
        ("outcome=refused", "odd wrong"), ("outcome=accepted&provider=apns", "broadcast voip alert"),
        ("status=400", "odd wrong"), ("status=410", ""), ("reason=InvalidPayload", "wrong"),
        ("reason=INVALID_ARGUMENT", "odd"), ("rule=aps.wrong-type", "wrong"), ("rule=fcm.conversion", "odd"),
        ("rule=auth.unknown-bearer", "odd condition topic fid token"), ("text=BREAD", "alert"),
        ("text=bread%20is", "alert"),
        ("text=the+bread", "alert"), ("text=in+topics", "condition"), ("text=order", ""), ("/order=7", "alert"),
        ("%2Forder=7.0", "alert"), ("/order=%227%22", ""), ("/aps/alert/title=Breakfast", "alert"),
        ("%2Faps%2Falert%2Ftitle=%22Breakfast%22", "alert"), ("/aps/alert/title=breakfast", ""),
        ("/message/data/n=%227%22", "topic token"), ("/it's/0=true", "alert"), ("/it's/1=null", "alert"),
        ("/it's=[true,null]", "alert"), ("/nothing=1", ""), ("/message/notification/title=Hi&topic=news", "topic"),
        ("/order=7&/aps/alert/title=Lunch", ""), ("since={voip}", "odd condition topic fid token broadcast"),
        ("until={voip}", "voip wrong alert"), ("since={wrong}&until={token}&provider=apns", "broadcast voip"),
        ("since=2026-01-01T00:00:00Z&app=shop", "condition topic fid token"), ("until=2026-01-01T00:00:00Z", ""),
        ("until={time}", "alert"), ("app=shop&outcome=refused", ""),
    ]
}
