import JSON
import Platform
import TestSupport
import Testing

@testable import pushpit

/// What `exec --report` writes.
@Suite struct ExecReportTests {
    private func json(_ text: String) throws -> JSONView { try JSONDocument(parsing: Array(text.utf8)).root }

    private func report(_ command: String, _ failure: ExitFailure?) throws -> ExecReport {
        let answer = try json(
            #"{"met":false,"count":0,"why":"None.","nearest":[{"message":"p2","differs":[{"at":"app","got":"]]>"}]}]}"#)
        return ExecReport(
            of: ExecCommand(words: [Array(command.utf8), Array("it's".utf8), Array("-x".utf8)]), failure,
            milliseconds: 1034,
            expectations: [
                ExpectationResult(
                    expectation: try json(#"{"count":1,"name":"one <push>"}"#), failure: nil, answer: nil),
                ExpectationResult(
                    expectation: try json("{\"match\":\n  {\"app\":\"<&\"}}"),
                    failure: ExitFailure(code: 1, message: "not met, 0 found", details: ["None.", "p2: ]]>\u{1}"]),
                    answer: answer),
            ],
            messages: [
                try json(#"{"id":"p1"}"#),
                try json(
                    #"{"id":"p2","provider":"apns","app":"App","request":{"body":{"aps":{"alert":"Tea & cake"}}},"findings":[{"severity":"note","message":"N."},{"severity":"error","message":"The app is gone."}],"outcome":"refused","status":410,"reason":"Unregistered","why":"apns.Unregistered"}"#
                ),
            ])
    }

    @Test func `JSON has the exit code, the messages and the expectations`() throws {
        let report = try JSONDocument(parsing: report("run", ExitFailure(code: 143, message: nil)).json).root
        #expect(report["exit"]?.exactInteger == 143)
        #expect(report["messages"]?.elements.compactMap { $0["id"]?.string } == ["p1", "p2"])
        let expectations = try #require(report["expectations"])
        #expect(expectations[0]?["met"]?.bool == true)
        #expect(expectations[0]?["expectation"]?["count"]?.exactInteger == 1)
        #expect(expectations[0]?["nearest"]?.count == 0)
        #expect(expectations[1]?["met"]?.bool == false)
        #expect(expectations[1]?["why"]?.string == "None.")
        #expect(expectations[1]?["nearest"]?[0]?["message"]?.string == "p2")
    }

    @Test func `JUnit has a test case for the command and for each expectation`() throws {
        let text = String(decoding: try report("r<\u{1B}", ExitFailure(code: 7, message: nil)).junit, as: UTF8.self)
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites>
                  <testsuite name="pushpit exec" tests="3" failures="2" errors="0" time="1.034">
                    <testcase classname="pushpit exec" name="command: r&lt;\\u001b" time="1.034">
                      <failure message="'r&lt;\\u001b' exited with 7">'r&lt;\\u001b' exited with 7&#10;The command: 'r&lt;\\u001b' 'it'\\''s' -x</failure>
                    </testcase>
                    <testcase classname="pushpit exec" name="expectation 1: one &lt;push&gt;"/>
                    <testcase classname="pushpit exec" name="expectation 2: {&quot;match&quot;: {&quot;app&quot;:&quot;&lt;&amp;&quot;}}">
                      <failure message="not met, 0 found: None.">not met, 0 found: None.&#10;expected: {&quot;match&quot;: {&quot;app&quot;:&quot;&lt;&amp;&quot;}}&#10;p2: ]]&gt;\u{FFFD}</failure>
                    </testcase>
                    <system-out>p1
                p2 apns App &quot;Tea &amp; cake&quot; refused 410 Unregistered
                  error: The app is gone.
                  fix: Delete this device token from your database. Store a token again when the app registers.
                </system-out>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test func `a command that succeeded has no failure`() throws {
        let report = try report("run", nil)
        #expect(report.exit == 0)
        #expect(String(decoding: report.junit, as: UTF8.self).contains(#"name="command: run" time="1.034"/>"#))
    }

    @Test func `XML has no character that it does not allow`() {
        #expect(
            XMLText.escaped("a\u{0}\u{8}\u{FFFE}\t\n\r<>&\"é😀")
                == "a\u{FFFD}\u{FFFD}\u{FFFD}&#9;&#10;&#13;&lt;&gt;&amp;&quot;é😀")
        #expect(XMLText.escaped("\r\n") == "&#13;&#10;")
    }

    @Test func `a failure says what is wrong with refused pushes, and which pushes match too often`() throws {
        let answer = try json(
            #"{"messages":["p1"],"nearest":[{"message":"p2"},{"message":"p3"},{"message":"p4"}]}"#)
        let result = ExpectationResult(
            expectation: answer, failure: ExitFailure(code: 1, message: "not met", details: ["None."]), answer: answer)
        let pushes = [
            "p1": #"{"id":"p1","outcome":"accepted","status":200}"#,
            "p2": #"{"id":"p2","outcome":"refused","status":400,"why":"apns.BadPriority"}"#,
            "p3": #"{"id":"p3","outcome":"accepted"}"#,
        ]
        let explained = try result.explained({ id in pushes[id].flatMap { try? json($0) } }, { _ in [] })
        #expect(
            explained.failure?.details == [
                "None.", "p1 accepted 200", "p2 refused 400", "  error: apns-priority is not 10, 5 or 1.",
                "  fix: Set apns-priority to 10, 5 or 1.",
            ])
    }

    @Test func `for expected events, a failure says what the devices did`() throws {
        let answer = try json(
            #"{"messages":[],"nearest":[{"message":"p1","event":4},{"message":"p1","event":5},{"message":"p2","event":6}]}"#
        )
        let result = ExpectationResult(
            expectation: answer, failure: ExitFailure(code: 1, message: "not met", details: []), answer: answer)
        let reports = [
            "p1":
                #"[{"device":"d1","did":"presented","missingImage":{"rule":"r","reason":"the server answered 404","remedy":"Serve the file."}},{"device":"d2","did":"waiting","remedy":"Connect it."}]"#
        ]
        let explained = try result.explained(
            { _ in nil },
            { id in
                try! json(reports[id] ?? "[]").elements.map(\.self)
            })
        #expect(
            explained.failure?.details == [
                "p1 on d1: presented", "p1 on d1: no image: the server answered 404", "  fix: Serve the file.",
                "p1 on d2: waiting", "  fix: Connect it.",
            ])
    }

    @Test func `a long expectation is cut in the name of its test case`() throws {
        let result = ExpectationResult(
            expectation: try json("[\(String(repeating: "1,", count: 99))1]"), failure: nil, answer: nil)
        #expect(result.label(5) == "[1,1,…")
    }

    @Test func `all pages of messages are read, and the oldest comes first`() throws {
        var asked: [String] = []
        let messages = try MessageList.all(since: 4) { path in
            asked.append(path)
            return Array(
                (asked.count == 1
                    ? #"{"messages":[{"id":"p3"},{"id":"p2"}],"next":"9"}"#
                    : #"{"messages":[{"id":"p1"}],"next":null}"#).utf8)
        }
        #expect(messages.compactMap { $0["id"]?.string } == ["p1", "p2", "p3"])
        #expect(asked == ["/messages?limit=100&since=4", "/messages?limit=100&since=4&cursor=9"])
    }
}

/// The values of `exec --report`.
@Suite struct ReportFileTests {
    private func values(_ arguments: [String], _ variables: [String: String] = [:]) throws -> [String] {
        try CommandLineCase.options(.exec, arguments, variables).list("report")
    }

    @Test(arguments: [
        ["--report", "json", "a", "--report", "junit", "b"], ["--report", "json=a", "--report=junit=b"],
    ]) func `a value is one word or two`(arguments: [String]) throws {
        #expect(try values(arguments + ["run"]) == ["json=a", "junit=b"])
        #expect(try values(["run"], ["PUSHPIT_REPORT": "json=a,junit=b"]) == ["json=a", "junit=b"])
        let words = Options.leadingWords((arguments + ["--help", "run", "-h"])[...], of: .exec)
        #expect(words == (arguments + ["--help"])[...])
    }

    @Test(arguments: ["json", "json=", "xml=a", "=a", "a"]) func `other values are refused`(value: String) {
        let error = CommandLineCase.usageError { () throws(ExitFailure) in
            _ = try ReportFile.files(try CommandLineCase.options(.exec, ["--report", value]))
        }
        #expect(error?.hasPrefix("--report '\(value)' must be 'json FILE' or 'junit FILE'") == true)
    }

    @Test func `a file that can't be written is found before the command runs`() throws {
        let scratch = Scratch()
        for path in [scratch.directory, "/dev/null"] {
            let error = #expect(throws: ExitFailure.self) {
                _ = try ReportFile.files(try CommandLineCase.options(.exec, ["--report", "json", path]))
            }
            #expect(error?.code == 73)
            #expect(error?.message?.hasPrefix("--report: cannot write \(path): ") == true, "\(error?.message ?? "")")
        }
        let files = try ReportFile.files(
            try CommandLineCase.options(.exec, ["--report", "junit", "\(scratch.directory)/r"]))
        #expect(files.map(\.path) == ["\(scratch.directory)/r"])
        #expect(Files.names(in: scratch.directory).filter { !$0.hasPrefix(".") }.isEmpty)
        let inner = "\(scratch.directory)/new/inner"
        _ = try ReportFile.files(try CommandLineCase.options(.exec, ["--report", "json", "\(inner)/r.json"]))
        #expect(Files.names(in: inner) == [".", ".."])
        let error = #expect(throws: ExitFailure.self) {
            _ = try ReportFile.files(try CommandLineCase.options(.exec, ["--report", "json", "/dev/null/r.json"]))
        }
        #expect(error?.message == "--report: cannot make the directory /dev/null: Not a directory")
    }
}
