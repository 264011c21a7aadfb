import Testing

@testable import pushpit

/// What `pushpit device` prints for each frame, and the state that it follows.
@Suite struct DeviceViewTests {
    private func view(isJSON: Bool = false) -> DeviceView { DeviceView(url: "http://127.0.0.1:2197", isJSON: isJSON) }

    private static let welcome = #"""
        {"type":"welcome","seq":5,"device":{"id":"d1","platform":"ios","app":"com.example.app",
        "tokens":{"apns":{"token":"a1b2"},"fcm":{"token":"f:APA91"},"liveActivity":{"start":"5a","updates":{}}},"shade":[{"key":"n2"},{"key":"n1"}],
        "state":{"locked":true,"online":true,"app":"background"}}}
        """#

    @Test func `the welcome shows the tokens and how to send to them`() throws {
        var view = view()
        let received = view.receive(Array(Self.welcome.utf8))
        let text = try #require(received)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == "ios device d1 with com.example.app at http://127.0.0.1:2197")
        #expect(lines.contains("APNs token: a1b2"))
        #expect(
            lines.contains(
                #"  echo '{"aps":{"alert":"Hello"}}' | pushpit send - --to a1b2 --topic com.example.app --url http://127.0.0.1:2197"#
            ))
        #expect(lines.contains("FCM token: f:APA91"))
        #expect(lines.contains("    http://127.0.0.1:2197/v1/projects/pushpit-local/messages:send"))
        #expect(lines.last == DeviceView.keys)
        #expect(view.device == "d1")
        #expect(view.lastSequence == 5)
        #expect(view.shade == ["n1", "n2"])
        #expect(view.isOn("locked") && view.isOn("online") && !view.isOn("app") && !view.isOn("unknown"))
    }

    @Test func `the welcome shows the installation id, and what the user may not expect`() {
        func greeting(_ platform: String, _ app: String, _ more: String = "") -> [String] {
            var view = view()
            let tokens = #""tokens":{"apns":{"token":"a1"},"fcm":{"token":"f:APA91","fid":"fid1"}}"#
            let text = view.receive(
                Array(
                    #"{"type":"welcome","seq":1,"device":{"id":"d1","platform":"\#(platform)","app":"\#(app)",\#(tokens)}\#(more)}"#
                        .utf8))
            return (text ?? "").split(separator: "\n").map(String.init)
        }
        let plain = greeting("ios", "com.example.app")
        #expect(plain.contains("Firebase installation id: fid1 (send to it with 'fid' instead of 'token')"))
        #expect(!plain.contains { $0.hasPrefix("- ") })
        let bad = greeting("ios", "bad app's")
        #expect(bad.contains { $0.contains(#"--topic 'bad app'\''s' --url"#) }, "\(bad)")
        #expect(bad.contains { $0.hasPrefix("- 'bad app's' is not a bundle id, so no push over APNs") })
        #expect(
            greeting("web", "com.example.app").contains {
                $0.hasPrefix("- for a browser, the app is the origin of the web page")
            })
        #expect(!greeting("web", "https://a.example").contains { $0.hasPrefix("- ") })
        let known = greeting("ios", "com.example.app", #","ignored":["/device/platform","/device/extension"]"#)
        #expect(known.contains("- the device d1 already exists and keeps its own settings for: platform, extension"))
    }

    @Test func `a card says why there is no image`() {
        var view = view()
        func text(_ kind: String, _ why: String, _ data: String, push: String = "p1") -> String {
            let event = #"{"type":"event","seq":7,"kind":"\#(kind)","push":"\#(push)","why":"\#(why)","data":\#(data)}"#
            return view.receive(Array(event.utf8)) ?? ""
        }
        let shown = #"{"key":"n1","title":"T","surfaces":["list"]}"#
        _ = text("attachment", "ios.not-mutable", #"{"url":"https://e.com/a.png","outcome":"skipped"}"#)
        let card = text("presented", "ios.shown", shown).split(separator: "\n").map(String.init)
        #expect(card.contains("│ no image: mutable-content is not 1 [ios.not-mutable]"), "\(card)")
        #expect(card.contains("│   fix: Set mutable-content to 1 in 'aps'."))
        #expect(!text("presented", "ios.shown", shown, push: "p2").contains("no image"))
        // Only the last pushes are remembered.
        _ = text("attachment", "ios.not-mutable", #"{"outcome":"skipped"}"#, push: "p3")
        for number in 10..<40 { _ = text("delivered", "apns.delivered", "{}", push: "p\(number)") }
        #expect(!text("presented", "ios.shown", shown, push: "p3").contains("no image"))
    }

    @Test func `the tokens are kept for a gateway that is restarted`() {
        var view = view()
        _ = view.receive(Array(Self.welcome.utf8))
        #expect(view.tokens == ["apns": "a1b2", "fcm": "f:APA91", "liveActivity": "5a"])
        for frame in [
            #"{"type":"token","provider":"apns","old":"a1b2","new":"c3","cause":"rotate"}"#,
            #"{"type":"token","provider":"apns","kind":"voip","new":"d4","cause":"rotate"}"#,
            #"{"type":"token","provider":"apns","new":"e5","cause":"liveActivity","activity":"Trip"}"#,
            #"{"type":"token","provider":"fcm","old":"f:APA91","cause":"delete"}"#,
        ] { _ = view.receive(Array(frame.utf8)) }
        #expect(view.tokens == ["apns": "c3", "voip": "d4", "liveActivity": "5a"])
        #expect(!view.areTokensRefused)
        let refusal = #"{"type":"error","code":"badDevice","message":"no","pointer":"/device/tokens/apns"}"#
        #expect(view.receive(Array(refusal.utf8)) == "- no\n")
        #expect(view.areTokensRefused)
        _ = view.receive(Array(Self.welcome.utf8))
        #expect(!view.areTokensRefused)
    }

    @Test func `a resumed welcome is short and keeps the last number`() {
        var view = view()
        _ = view.receive(Array(#"{"type":"push","seq":9,"id":"p1","attempt":1}"#.utf8))
        #expect(
            view.receive(Array(#"{"type":"welcome","seq":20,"resumed":true,"device":{"id":"d1"}}"#.utf8))
                == "- reconnected\n")
        #expect(view.lastSequence == 9)
        _ = view.receive(Array(#"{"type":"welcome","seq":2,"device":{"id":"d1"}}"#.utf8))
        #expect(view.lastSequence == 2)
    }

    @Test(arguments: [
        (#"{"type":"push","id":"p1","attempt":1}"#, "p1 arrived\n"),
        (#"{"type":"push","id":"p1","attempt":2}"#, "p1 arrived again\n"),
        (#"{"type":"token","provider":"apns","new":"ff"}"#, "new apns token: ff\n"),
        (#"{"type":"deleted","count":3}"#, "3 messages were dropped while the device was offline\n"),
        (#"{"type":"error","message":"no"}"#, "- no\n"), (#"{"type":"ok"}"#, nil), ("{}", nil), ("{", nil), ("[]", nil),
        (
            #"{"type":"event","kind":"opened","why":"person.opened","time":"2026-11-22T10:20:30.000Z","data":{"notification":"n1","count":2}}"#,
            "10:20:30 opened (person.opened) notification=n1 count=2\n"
        ),
        (#"{"type":"event","kind":"state","time":"2026-11-22T10:20:30.000Z"}"#, "10:20:30 state\n"),
    ]) func `each frame has its line`(frame: String, expected: String?) {
        var view = view()
        #expect(view.receive(Array(frame.utf8)) == expected)
    }

    private static func presented(_ data: String) -> String {
        #"{"type":"event","seq":1,"kind":"presented","why":"ios.shown","time":"2026-11-22T10:20:30.000Z","data":{\#(data)}}"#
    }

    @Test func `a notification is a card`() {
        var view = view()
        let frame = Self.presented(
            #""key":"n1","title":"T","subtitle":"S","body":"B","image":"https://a.example/b.png","actions":[{"title":"Yes"},{"title":"No"}],"surfaces":["banner","list"]"#
        )
        #expect(
            view.receive(Array(frame.utf8)) == """
                ┌ T  [n1, 10:20:30]
                │ S
                │ B
                │ image: https://a.example/b.png
                │ [Yes] [No]
                └ on banner, list (ios.shown)

                """)
        #expect(view.shade == ["n1"])
    }

    @Test func `a card leaves out what is missing`() {
        var view = view()
        let frame = Self.presented(#""key":"n1","title":"T","body":"","surfaces":[]"#)
        #expect(view.receive(Array(frame.utf8)) == "┌ T  [n1, 10:20:30]\n└ on  (ios.shown)\n")
        let quiet = Self.presented(#""title":"T""#)
        #expect(view.receive(Array(quiet.utf8)) == "10:20:30 presented (ios.shown) title=T\n")
    }

    @Test func `control characters of a sender don't reach the terminal`() {
        var view = view()
        let frame = Self.presented(
            #""key":"n1","title":"a\u001b[2Jb\u0007\u009b","body":"x\ny\r\u007f"# + #"","surfaces":[]"#)
        let text = view.receive(Array(frame.utf8)) ?? ""
        #expect(text == "┌ a\\u001b[2Jb\\u0007\\u009b  [n1, 10:20:30]\n│ x\\u000ay\\u000d\\u007f\n└ on  (ios.shown)\n")
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) })
    }

    @Test func `the shade follows what is shown, replaced and removed`() {
        var view = view()
        func event(_ kind: String, _ data: String) {
            _ = view.receive(Array(#"{"type":"event","kind":"\#(kind)","data":{\#(data)}}"#.utf8))
        }
        for key in ["n1", "n2", "n3", "n1"] { event("presented", #""key":"\#(key)""#) }
        #expect(view.shade == ["n2", "n3", "n1"])
        event("opened", #""notification":"n3""#)
        event("dismissed", #""notification":"n9""#)
        event("replaced", #""key":"n1""#)
        #expect(view.shade == ["n2"])
    }

    @Test func `the state follows its events`() {
        var view = view()
        _ = view.receive(Array(#"{"type":"event","kind":"state","data":{"locked":true,"app":"background"}}"#.utf8))
        #expect(view.isOn("locked"))
        _ = view.receive(Array(#"{"type":"event","kind":"state","data":{"locked":false}}"#.utf8))
        #expect(!view.isOn("locked"))
    }

    @Test func `with --json each frame is printed as it is`() {
        var view = view(isJSON: true)
        for frame in [#"{"type":"ok"}"#, #"{"type":"push","seq":4,"id":"p1"}"#] {
            #expect(view.receive(Array(frame.utf8)) == frame + "\n")
        }
        #expect(view.lastSequence == 4)
        #expect(view.receive(Array("{\"type\":\n\t\"ok\"}\r\n".utf8)) == "{\"type\":  \"ok\"}  \n")
        #expect(view.receive(Array("{".utf8)) == nil)
    }
}
