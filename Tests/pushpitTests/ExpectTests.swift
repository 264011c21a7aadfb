import Testing

@testable import pushpit

/// `pushpit expect`: the request that its arguments make, and what the gateway's answer means.
@Suite struct ExpectTests {
    private func request(_ arguments: [String]) throws(ExitFailure) -> String {
        String(decoding: try Expect.request(try CommandLineCase.options(.expect, arguments), 5000), as: UTF8.self)
    }

    @Test(arguments: [
        ([], #"{"match":{},"within":"5s"}"#),
        (
            ["app=com.example.app", "outcome=accepted"],
            #"{"match":{"app":"com.example.app","outcome":"accepted"},"within":"5s"}"#
        ),
        (
            ["/aps/alert/title=a=b", "header:apns-priority=5"],
            #"{"match":{"headers":{"apns-priority":"5"},"bodyText":{"/aps/alert/title":"a=b"}},"within":"5s"}"#
        ),
        (["reason="], #"{"match":{"reason":""},"within":"5s"}"#),
        (
            ["app^=com.example.", "/aps/alert~=^Order \\d+=", "header:a~=x"],
            #"{"match":{"app":{"prefix":"com.example."},"headers":{"a":{"regex":"x"}},"bodyText":{"/aps/alert":{"regex":"^Order \\d+="}}},"within":"5s"}"#
        ),
        (
            ["app=a", "event=presented", "event:device=d", "event:why^=ios.", "event:/title~=x"],
            #"{"match":{"app":"a","event":{"kind":"presented","device":"d","why":{"prefix":"ios."},"dataText":{"/title":{"regex":"x"}}}},"within":"5s"}"#
        ),
        (
            ["app=a", "then", "event~=opened|dismissed", "then", "/a=1"],
            #"{"sequence":[{"app":"a"},{"event":{"kind":{"regex":"opened|dismissed"}}},{"bodyText":{"/a":"1"}}],"within":"5s"}"#
        ),
        (["--never", "app=then"], #"{"match":{"app":"then"},"never":true,"within":"5s"}"#),
        (["--count", "2"], #"{"match":{},"count":2,"within":"5s"}"#),
        (["--at-least=0"], #"{"match":{},"atLeast":0,"within":"5s"}"#),
        (["--at-most", "3", "--never", "off"], #"{"match":{},"atMost":3,"within":"5s"}"#),
        (["--never"], #"{"match":{},"never":true,"within":"5s"}"#),
    ]) func `arguments become a request`(arguments: [String], expected: String) throws {
        #expect(try request(arguments) == expected)
    }

    @Test(arguments: [
        (["app"], "'app' is not a filter: write NAME=VALUE, like app=com.example.app"),
        (["colour=red"], "'colour' is not a filter: use one of provider, app"),
        (["outcom=accepted"], "'outcom' is not a filter. Did you mean outcome? Use one of provider, app"),
        (["headers=x"], "'headers' is not a filter: use one of"), (["=x"], "'' is not a filter"),
        (["app=a", "app=b"], "'app' is given twice, but a push has to match all filters"),
        (["/a=1", "/a=1"], "'/a' is given twice"),
        (["app=a", "then"], "'then' must stand between two filters"), (["then", "app=a"], "'then' must stand between"),
        (["a=1", "then", "then", "app=a"], "'a' is not a filter"),
        (["app=a", "then", "then", "app=b"], "'then' must stand"),
        (["app=a", "then", "app=b", "--count", "2"], "a sequence with 'then' cannot be counted: leave out --count"),
        (["app=a", "then", "app=b", "--never", "then"], "'then' must stand"),
        (["event:device=a"], "an event needs its kind"),
        (["event:colour=a", "event=opened"], "'event:colour' is not a filter"),
        (["app=a", "app^=b"], "'app' is given twice"),
        (["/a~1~=x", "/a~1=y"], "'/a~1' is given twice"),
        (["--count", "1", "--never"], "use only one of --count, --at-least, --at-most and --never"),
        (["--at-least", "1", "--at-most", "2"], "use only one of"),
        (["--count", "x"], "--count 'x' must be a number from 0 to 1000000"),
        (["--never", "maybe=1", "--count", "-1"], "'maybe' is not a filter"),
    ]) func `invalid arguments are refused`(arguments: [String], text: String) {
        let error = CommandLineCase.usageError { () throws(ExitFailure) in _ = try request(arguments) }
        #expect(error?.hasPrefix(text) == true, "\(error ?? "accepted")")
        #expect(error?.hasSuffix("; see 'pushpit expect --help'") == true)
    }

    @Test func `a URL without a scheme is refused`() {
        let error = CommandLineCase.usageError { () throws(ExitFailure) in
            try Expect.run(try CommandLineCase.options(.expect, ["--url", "nowhere"]))
        }
        #expect(error?.hasPrefix("--url 'nowhere' does not begin with http:// or https://") == true)
    }

    private func result(_ status: Int, _ body: String, isJSON: Bool = false) -> (output: String, failure: ExitFailure?)
    {
        Expect.result(status, Array(body.utf8), isJSON: isJSON)
    }

    @Test func `a met expectation lists the pushes`() {
        let found = result(200, #"{"met":true,"count":2,"messages":["p1","p2"]}"#)
        #expect(found.output == "met, 2 found: p1 p2\n")
        #expect(found.failure == nil)
        #expect(result(200, #"{"met":true,"count":0,"messages":[]}"#).output == "met, 0 found\n")
    }

    @Test func `a failed expectation shows the near misses and ends with 1`() {
        let body = #"""
            {"met":false,"count":0,"messages":[],"nearest":[
            {"message":"p1","differs":[{"at":"app","got":"a","expected":"b"},{"at":"/aps/sound","got":null,"expected":"x"}]},
            {"message":"p2","differs":[{"at":"device","got":null,"expected":"4","note":"Find it."}]}]}
            """#
        let found = result(417, body)
        #expect(found.output == "")
        #expect(
            found.failure
                == ExitFailure(
                    code: 1, message: "not met, 0 found",
                    details: [
                        #"p1: app is "a", not "b"; /aps/sound is absent, not "x""#,
                        #"p2: device is absent, not "4" (Find it.)"#,
                    ]))
        #expect(
            found.failure?.lines == ["pushpit: not met, 0 found"] + (found.failure?.details ?? []).map { "  \($0)" })
    }

    @Test func `a near miss that is an event shows what happened`() {
        let body = #"""
            {"met":false,"count":1,"messages":["p1"],"events":[3],"missing":1,"why":"Number 2 is missing.","nearest":[
            {"message":"p1","event":7,"kind":"suppressed","device":"phone","why":"ios.not-allowed",
            "differs":[{"at":"event/kind","got":"suppressed","expected":"presented"}]},
            {"event":2,"kind":"clock","differs":[{"at":"event/kind","got":"clock","expected":{"regex":"x"}}]}]}
            """#
        #expect(
            result(417, body).failure?.details == [
                "Number 2 is missing.",
                #"p1, event 7 (suppressed, phone, ios.not-allowed): event/kind is "suppressed", not "presented" (fix: Set permission to authorized ('state' on the device socket, or PATCH /api/v1/devices/ID).)"#,
                #"event 2 (clock): event/kind is "clock", not {"regex":"x"}"#,
            ])
    }

    @Test func `a failed expectation says what was expected, and how many pushes are not listed`() {
        let found = result(417, #"{"met":false,"count":3,"messages":["p1","p2"],"unlisted":1,"why":"Too many."}"#)
        #expect(
            found.failure == ExitFailure(code: 1, message: "not met, 3 found: p1 p2 and 1 more", details: ["Too many."])
        )
    }

    @Test(arguments: [(200, true), (417, false)]) func `with --json the answer is printed as it is`(
        status: Int, isMet: Bool
    ) {
        let found = result(status, #"{"met":\#(isMet)}"#, isJSON: true)
        #expect(found.output == "{\"met\":\(isMet)}\n")
        #expect(found.failure == (isMet ? nil : ExitFailure(code: 1, message: nil)))
    }

    @Test(arguments: [
        (400, 64, #"{"error":{"message":"bad"}}"#, "the gateway refused the request with 400: bad"),
        (
            401, 77, #"{"error":{"code":"noToken","message":"Send a header."}}"#,
            "the gateway requires its API token: give --api-token or --api-token-file, or set PUSHPIT_API_TOKEN or "
                + "PUSHPIT_API_TOKEN_FILE, to the token that the gateway was started with"
        ),
        (401, 77, "{}", "the answer 401 is not that of a gateway: does another program listen there?"),
        (403, 77, "", "the answer 403 is not that of a gateway: does another program listen there?"),
        (503, 69, "x", "the answer 503 is not that of a gateway: does another program listen there?"),
        (200, 69, "no JSON", "the answer 200 is not that of a gateway: does another program listen there?"),
    ]) func `a refused request has its own exit code`(status: Int, code: Int32, body: String, message: String) {
        for isJSON in [false, true] {
            let found = result(status, body, isJSON: isJSON)
            #expect(found.output == "")
            #expect(found.failure == ExitFailure(code: code, message: message))
        }
    }
}
