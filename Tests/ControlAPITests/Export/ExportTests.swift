import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// A message in a form in which it can be sent again. That a shell sends the same is tested with curl itself.
struct ExportTests {
    private let host = TestHost()
    private static let phone = String(repeating: "5", count: 64)

    private func export(_ shape: String, _ id: String? = nil) throws -> TestHost.Answer {
        let answer = try host.call(.get, "/messages/\(id ?? host.ids()[0])/export?as=\(shape)")
        #expect(answer.status == 200 || answer.status == 409, "\(answer.text)")
        return answer
    }

    @Test func `a push becomes a file for the simulator`() throws {
        let body: JSONValue = [
            "Simulator Target Bundle": "x", "aps": ["alert": "it's \"out\" ü"], "own": [1.5, ["x": nil]],
        ]
        host.push(to: Self.phone, body: body)
        let file = try export("apns")
        #expect(file.contentType == "application/json")
        #expect(try file.json() == body.merging(["Simulator Target Bundle": .string(TestHost.app)]))
    }

    @Test func `a message to FCM becomes a file for an iPhone`() throws {
        let phone = try host.makeDevice()
        host.send([
            "token": .string(token(of: phone, "fcm")), "notification": ["title": "T"], "data": ["k": "v"],
            "apns": ["payload": ["aps": ["badge": 3]]],
        ])
        let file = try export("apns").json()
        #expect(file.at("Simulator Target Bundle").text == TestHost.app)
        #expect(file.at("aps") == ["alert": ["title": "T"], "badge": 3] && file.at("k") == "v")
    }

    @Test func `a message to FCM is exported as it was, and a device push with the registration token of its device`()
        throws
    {
        let (droid, phone) = (try host.makeDevice("android"), try host.makeDevice())
        let sent: JSONValue = [
            "token": .string(token(of: droid, "fcm")), "data": ["k": "$HOME `id`"], "android": ["ttl": "3.5s"],
        ]
        host.send(sent)
        let first = try export("fcm")
        #expect(try first.json() == ["message": sent])
        let payload: JSONValue = ["aps": ["alert": "two\nlines"], "own": 1]
        host.push(["apns-priority": "5", "x-mine": "1"], to: token(of: phone), body: payload)
        let second = try export("fcm")
        let apns: JSONValue = ["headers": ["apns-priority": "5"], "payload": payload]
        #expect(try second.json() == ["message": ["token": .string(token(of: phone, "fcm")), "apns": apns]])
        for (file, device) in [(first, droid), (second, phone)] {
            #expect(host.send(raw: file.bytes).status == 200)
            #expect(try host.newest().at("devices") == [device.at("id")])
        }
        // This device has no registration token.
        host.push(to: Self.phone)
        #expect(try export("fcm").json().at("message", "token") == "REGISTRATION_TOKEN")
    }

    @Test func `a push becomes a call for the shell, without its secret`() throws {
        host.push(["x-mine": "it's", "x-empty": ""], to: Self.phone, raw: Array(#"{"aps":{"alert":"it's"}}"#.utf8))
        let expected = #"""
            # Signs with the gateway's own key, unless TOKEN is set.
            base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
            claims=$(printf '{"alg":"ES256","kid":"\#(host.facts.keyID)"}' | base64url).$(printf '{"iss":"\#(host.facts.teamID)","iat":%d}' "$(date +%s)" | base64url)
            : "${TOKEN:=$claims.$(printf %s "$claims" | openssl dgst -sha256 -sign '/etc/it'\''s/certs/AuthKey_\#(host.facts.keyID).p8' | base64url)}"
            curl -sS --http2 --cacert '/etc/it'\''s/certs/ca.pem' \
              -X POST \
              -H 'apns-topic: com.example.app' \
              -H "authorization: bearer $TOKEN" \
              -H 'x-mine: it'\''s' \
              -H 'x-empty;' \
              -H 'content-type:' \
              --data-raw '{"aps":{"alert":"it'\''s"}}' \
              'https://localhost:2197/3/device/\#(Self.phone)'

            """#
        #expect(try export("curl").text == expected)
        #expect(try export("curl").contentType == "text/plain; charset=utf-8")
        host.provide(.post, "/3/device/\(Self.phone)", [("apns-topic", TestHost.app)], Array("{}".utf8))
        #expect(try export("curl").text.contains(#"-H "authorization: bearer $TOKEN""#))
        host.provide(.post, "/3/device/\(Self.phone)", [], Array("{}".utf8))
        #expect(try export("curl").text.contains(#"--cert '/etc/it'\''s/certs/apns-client.pem' \"#))
        host.send(
            raw: [], query: "?access_token=x&alt=json",
            fields: [("content-type", "a/b"), ("content-length", "0"), ("host", "h")])
        let google = try export("curl").text
        #expect(
            google.hasPrefix("# Any access token is good enough") && google.contains("\n: \"${TOKEN:=any}\"\ncurl "))
        #expect(
            google.hasSuffix(
                #"-H 'content-type: a/b' \"# + "\n"
                    + #"  'https://localhost:2197/v1/projects/shop/messages:send?access_token='"$TOKEN"'&alt=json'"#
                    + "\n"))
        #expect(!google.contains("data-raw") && !google.contains("'host") && !google.contains("content-length"))
    }

    @Test func `a push becomes a command for the simulator`() throws {
        host.push(to: Self.phone, body: ["aps": ["alert": "it's $HOME\nEOF\n`id`"]])
        let expected = #"""
            xcrun simctl push booted 'com.example.app' - <<'EOF'
            {
              "Simulator Target Bundle": "com.example.app",
              "aps": {
                "alert": "it's $HOME\nEOF\n`id`"
              }
            }
            EOF

            """#
        #expect(try export("simctl").text == expected)
        #expect(try export("simctl").contentType == "text/plain; charset=utf-8")
        let phone = try host.makeDevice(app: "com.it's")
        host.send(["token": .string(token(of: phone, "fcm")), "notification": ["title": "T"]])
        #expect(try export("simctl").text.hasPrefix(#"xcrun simctl push booted 'com.it'\''s' - <<'EOF'"#))
        // No device says which app a topic message is for.
        host.send(["topic": "news", "notification": ["title": "T"]])
        #expect(try export("simctl").text.hasPrefix(#"xcrun simctl push booted "$APP" - <<'EOF'"#))
    }

    @Test func `a message becomes a broadcast on an emulator`() throws {
        let droid = try host.makeDevice("android", ["project": "shop"])
        host.send([
            "token": .string(token(of: droid, "fcm")), "data": ["it's": "a b"],
            "android": ["ttl": "60s", "notification": ["title": "T"]],
        ])
        let start =
            "adb root && adb wait-for-device && adb shell 'am broadcast -a com.google.android.c2dm.intent.RECEIVE -n "
        let quote = #"'\''"#
        var text = try export("adb").text
        #expect(
            text.hasPrefix(
                "\(start)\(quote)com.example.app\(quote)/com.google.firebase.iid.FirebaseInstanceIdReceiver "))
        #expect(text.hasSuffix("'\n"))
        // As the shell of the emulator gets it.
        text = text.replacing(quote, with: "'")
        for extra in [
            #"--es 'it'\''s' 'a b'"#, "--es 'from' '900000000000'", "--es 'google.message_id' '",
            "--el 'google.sent_time' '1800000000000'", "--ei 'google.ttl' '60'", "--es 'gcm.n.e' '1'",
            "--es 'gcm.n.title' 'T'", "--es 'collapse_key' 'com.example.app'",
        ] {
            #expect(text.contains(" \(extra)"), "\(extra): \(text)")
        }
        host.send(["topic": "news", "data": ["k": "v"]])
        text = try export("adb").text
        #expect(text.hasPrefix(start + #"'"$APP"'/com.google.firebase.iid.FirebaseInstanceIdReceiver "#), "\(text)")
        #expect(text.contains(#"--es '\''from'\'' '\''/topics/news'\''"#))
    }

    @Test func `a message that has no such form is refused`() throws {
        let refused: [(String, () -> Void)] = [
            ("apns fcm simctl adb", { host.push(raw: Array("[1]".utf8)) }),
            ("apns fcm simctl adb", { host.push(raw: []) }), ("apns simctl adb", { host.send(["dat": [:]]) }),
            ("apns fcm curl simctl adb", { host.push(raw: [0xFF]) }),
            ("curl apns fcm simctl adb", { host.push(raw: Array("{\"aps\":\"\u{0}\"}".utf8)) }),
            ("adb", { host.push() }), ("adb", { host.send(["topic": "t", "data": ["k": "\u{0}"]]) }),
        ]
        for (shapes, push) in refused {
            push()
            for shape in ["apns", "fcm", "curl", "simctl", "adb"] {
                let answer = try export(shape)
                #expect((answer.status == 409) == shapes.contains(shape), "\(shape): \(answer.text)")
                if answer.status == 409 { #expect(try answer.json().at("error", "code") == "conflict") }
            }
        }
        let pushes = try Pushes()
        let id = try pushes.message("broadcast").at("id").text ?? ""
        let conflict = TestHost.Problem(status: 409, code: "conflict", pointer: nil)
        #expect(try pushes.host.problem(.get, "/messages/\(id)/export?as=fcm") == conflict)
        for query in ["", "?as=", "?as=xml", "?as=curl&to=x"] {
            let problem = try pushes.host.problem(.get, "/messages/\(id)/export\(query)")
            #expect(problem == .init(status: 400, code: "badQuery", pointer: nil), "\(query)")
        }
    }

    @Test func `the raw request has every byte of the body`() throws {
        let body = Array(#"{"aps" : {} ,"#.utf8) + [0xFF, 0x00] + Array("}".utf8)
        host.push(["x-mine": "a:  b"], to: Self.phone, raw: body)
        host.send(
            raw: Array("{'message':{topic:'t'},}".utf8), query: "?alt=json",
            fields: [("host", "example.com"), ("x-mine", "1"), ("authorization", "Bearer x")])
        let raw = try host.ids().map { try host.call(.get, "/messages/\($0)/raw") }
        #expect(raw.map(\.contentType) == ["application/http", "application/http"])
        let lines = raw[0].text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.count == 6 && lines[0] == "POST /v1/projects/shop/messages:send?alt=json HTTP/1.1")
        #expect(
            lines[1] == "host: example.com" && lines[2] == "x-mine: 1"
                && lines[3].hasPrefix("authorization: Bearer sha256:"))
        #expect(lines[4] == "" && lines[5] == "{'message':{topic:'t'},}")
        let head = try host.messages().last.map { "\($0.at("request", "headers", 1, 1).text ?? "")" } ?? ""
        let apple = """
            POST /3/device/\(Self.phone) HTTP/2\r\nhost: localhost\r\napns-topic: \(TestHost.app)\r\n\
            authorization: \(head)\r\nx-mine: a:  b\r\n\r\n
            """
        #expect(raw[1].bytes == Array(apple.utf8) + body)
    }
}
