import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// Messages as programs. That the programs run is tested with the clients themselves.
struct ProgramTests {
    private let host = TestHost()
    private static let phone = String(repeating: "5", count: 64)

    private func program(_ shape: String, status: Int = 200) throws -> String {
        let answer = try host.call(.get, "/messages/\(host.ids()[0])/export?as=\(shape)")
        #expect(answer.status == status, "\(answer.text)")
        return answer.text
    }

    /// A text, and how each language writes it.
    static let texts: [(text: String, python: String, javaScript: String)] = [
        ("plain 'x' {y} ${z} `w`", #""plain 'x' {y} ${z} `w`""#, #""plain 'x' {y} ${z} `w`""#),
        ("\"\\\n\t\r\0", #""\"\\\n\t\u000d\u0000""#, #""\"\\\n\t\u000d\u0000""#),
        ("Brötchen 📱", #""Brötchen 📱""#, #""Brötchen 📱""#),
        ("\u{2028}\u{202E}\u{AD}\u{7F}", #""\u2028\u202e\u00ad\u007f""#, #""\u2028\u202e\u00ad\u007f""#),
        ("\u{E0041}日", #""\U000e0041\u65e5""#, #""\u{e0041}\u65e5""#), ("a\u{301}", #""a\u0301""#, #""a\u0301""#),
    ]

    @Test(arguments: texts) func `a text can't leave its string`(
        _ row: (text: String, python: String, javaScript: String)
    ) {
        #expect(ProgramLanguage.python.quoted(row.text) == row.python)
        #expect(ProgramLanguage.javaScript.quoted(row.text) == row.javaScript)
    }

    /// JSON, and whether each language writes the same JSON again.
    static let values: [(String, python: String?, javaScript: String?)] = [
        ("[true,false,null]", "[\n    True,\n    False,\n    None,\n]", "[\n  true,\n  false,\n  null,\n]"),
        (#"{"__proto__":1}"#, "{\n    \"__proto__\": 1,\n}", "{\n  [\"__proto__\"]: 1,\n}"),
        ("9007199254740992", "9007199254740992", "9007199254740992"), ("9007199254740993", "9007199254740993", nil),
        ("-9223372036854775808", "-9223372036854775808", nil),
        ("-9007199254740992", "-9007199254740992", "-9007199254740992"),
        ("-1.5e3", "-1.5e3", "-1.5e3"), ("1e400", nil, nil), (#""\ud800""#, nil, nil), ("{}", "{}", "{}"),
        (#"{"\ud800":1}"#, nil, nil), (String(repeating: "9", count: 1001), nil, nil),
        (String(repeating: "[", count: 91) + String(repeating: "]", count: 91), nil, nil),
    ]

    @Test(arguments: values) func `a value is written so that the same JSON is sent`(
        _ row: (text: String, python: String?, javaScript: String?)
    ) throws {
        let root = try JSONDocument(parsing: Array(row.text.utf8)).root
        #expect(ProgramLanguage.python.literal(root) == row.python)
        #expect(ProgramLanguage.javaScript.literal(root) == row.javaScript)
    }

    @Test func `a push becomes a program for Node`() throws {
        host.push(["apns-priority": "5"], to: Self.phone)
        let code = try program("node")
        #expect(
            code.contains(
                """
                const certificates = "/etc/it's/certs";
                const fields = {
                  ":method": "POST",
                  ":path": "/3/device/\(Self.phone)",
                  "apns-topic": "com.example.app",
                  "apns-priority": "5",
                };
                const body = JSON.stringify({
                  "aps": {
                    "alert": "Hello",
                  },
                });
                """), "\(code)")
        #expect(code.contains(#"kid: "KEY1234567" }"#) && code.contains(#"iss: "TEAM123456""#))
        #expect(code.contains("https://localhost:2197") && !code.contains("apns-client.pem"))
        // The client certificate covers few topics, so it is used only without a topic.
        host.provide(.post, "/3/device/\(Self.phone)", [("apns-topic", TestHost.app)], Array("{".utf8))
        let signed = try program("node")
        #expect(!signed.contains("apns-client.pem") && signed.contains("AuthKey") && signed.contains(#"body = "{";"#))
        host.provide(.post, "/3/device/\(Self.phone)", [], Array("{".utf8))
        let other = try program("node")
        #expect(other.contains("apns-client.pem") && !other.contains("AuthKey"))
    }

    @Test func `a push becomes a program for aioapns`() throws {
        host.push(["apns-push-type": "alert", "apns-expiration": "0"], to: Self.phone)
        let code = try program("aioapns")
        for line in [
            #"open(f"{CERTIFICATES}/AuthKey_KEY1234567.p8").read(), key_id="KEY1234567""#, #"team_id="TEAM123456""#,
            #"apns_topic="com.example.app""#, "push_type=PushType.ALERT", "time_to_live=0 - int(time.time())",
            "APNS_PORT = 2197",
        ] { #expect(code.contains(line), "\(code)") }
        host.provide(.post, "/4/broadcasts/apps/\(TestHost.app)", [("apns-topic", "x")], Array("{}".utf8))
    }

    @Test func `a message becomes a program for firebase-admin`() throws {
        host.send([
            "topic": "/topics/news", "android": ["collapseKey": "c", "ttl": "90s", "priority": "HIGH"], "data": nil,
            "apns": ["payload": ["aps": ["alert": ["title": "T", "own": 1], "mutable-content": 1], "own": "x"]],
        ])
        let code = try program("firebase-admin")
        #expect(
            code.contains(
                #"""
                account = credentials.Certificate(f"{CERTIFICATES}/service-account-2198.json")
                firebase_admin.initialize_app(account, {"projectId": "shop"})

                message = messaging.Message(
                    topic="/topics/news",
                    android=messaging.AndroidConfig(
                        collapse_key="c",
                        ttl=90,
                        priority="high",
                    ),
                    apns=messaging.APNSConfig(
                        payload=messaging.APNSPayload(
                            aps=messaging.Aps(
                                alert=messaging.ApsAlert(
                                    title="T",
                                    custom_data={
                                        "own": 1,
                                    },
                                ),
                                mutable_content=True,
                            ),
                            **{
                                "own": "x",
                            },
                        ),
                    ),
                )
                print(messaging.send(message))
                """#), "\(code)")
    }

    @Test func `a program for the other service is a conflict that names the right one`() throws {
        host.push(to: Self.phone)
        #expect(try program("firebase-admin", status: 409).contains("as=aioapns"))
        host.send(["topic": "t", "name": "x"])
        for shape in ["node", "aioapns"] { #expect(try program(shape, status: 409).contains("as=firebase-admin")) }
        #expect(try program("firebase-admin", status: 409).contains("/message/name"))
    }
}
