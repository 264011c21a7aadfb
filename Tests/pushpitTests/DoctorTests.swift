import EventLoop
import Inspection
import Platform
import PushCore
import TestSupport
import Testing

@testable import pushpit

/// The output of `pushpit doctor`, and how it takes its inputs.
@Suite struct DoctorTests {
    @Test(arguments: [
        ("http://127.0.0.1:2197", true), ("http://pushpit:secret@localhost:2197/", true), ("127.0.0.1:2197", true),
        ("http://127.0.0.1:2198", false), ("http://192.0.2.1:2197", false), ("http://:2197", false), ("", false),
        (nil, false),
    ])
    func `a proxy that is the gateway is recognised`(proxy: String?, isOwn: Bool) {
        #expect(EnvironmentProbe.leads(proxy, to: SocketAddress(host: "127.0.0.1", port: 2197)) == isOwn)
    }

    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    private static func inspect(_ text: String, name: String? = nil) -> Inspected {
        Inspector.inspect(InspectionInput(Array(text.utf8), name: name), at: now)
    }

    @Test func `a block has the kind, the facts, the problems with their remedies, and the answers`() {
        let text = DoctorText.text(Self.inspect("com.example.app.liveactivity"))
        #expect(
            text == """
                APNs topic
                  warning: The topic ends in '.liveactivity', which is not one of Apple's suffixes. Did you mean \
                .push-type.liveactivity? [topic.unknown-suffix]
                    fix: Use the bundle id and the suffix of the push type, such as .voip or .push-type.liveactivity.
                  APNs would answer: 400 TopicDisallowed (observed)

                """)
        let good = DoctorText.text(Self.inspect("com.example.app", name: "topic.txt"))
        #expect(
            good == """
                topic.txt: APNs topic
                  app: com.example.app, without a suffix: for alerts and background pushes
                  no problems found

                """)
    }

    @Test func `JSON has one line for each input`() {
        let topic = Self.inspect("com.example.app")
        let line =
            #"{"kind":"apns-topic","title":"APNs topic","facts":["app: com.example.app, without a suffix: for alerts "#
            + #"and background pushes"],"problems":[],"answers":[]}"# + "\n"
        #expect(Doctor.json([topic, topic]) == line + line)
        let empty = Doctor.json([Self.inspect("")])
        #expect(
            empty.contains(
                #""problems":[{"severity":"error","message":"The input is empty.","remedy":"Check the path, or the "#
                    + #"variable that should hold it.","rule":"input.empty"}]"#))
    }

    @Test func `an input is a file if there is one, and otherwise a text`() throws {
        let scratch = Scratch()
        let path = scratch.path("AuthKey_ABCDE12345.p8")
        try Files.write([1, 2], to: path, mode: 0o600)
        let file = try Doctor.read(path)
        #expect(file.bytes == [1, 2] && file.name == "AuthKey_ABCDE12345.p8")
        for text in ["a1b2c3", "x:APA91b", String(repeating: "a", count: 5000), "a.b.c", "obL/D1+K="] {
            let input = try Doctor.read(text)
            #expect(input.bytes == Array(text.utf8) && input.name == nil)
        }
    }

    @Test(arguments: ["/nowhere/x", "./missing", "missing.p8", "missing.JSON"])
    func `the path of a missing file is not taken for a token`(path: String) {
        do throws(ExitFailure) {
            _ = try Doctor.read(path)
            Issue.record("\(path) was read")
        } catch {
            #expect(error.code == 66 && error.message == "the file \(path) does not exist")
        }
    }

    @Test func `a word after the switch is an input`() throws {
        let options = try CommandLineCase.options(.doctor, ["--json", "a1b2", "--password", "x", "-"])
        #expect(options.operands == ["a1b2", "-"] && options.list("json") == ["on"])
    }
}
