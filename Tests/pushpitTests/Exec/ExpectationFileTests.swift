import Testing

@testable import pushpit

/// The file of `exec --expect`.
@Suite struct ExpectationFileTests {
    private func file(_ text: String) throws(ExitFailure) -> ExpectationFile {
        try ExpectationFile("e.json", Array(text.utf8))
    }

    @Test func `an expectation waits only if it says so`() throws {
        let items = try file(#"[{}, {"never":true,"within":"2s"}, {"match":{"app":"a"},"within":null}]"#).expectations
        #expect(
            items.map { String(decoding: $0.body(since: nil, waiting: $0.within), as: UTF8.self) } == [
                #"{"within":"0s"}"#, #"{"never":true,"within":"2s"}"#, #"{"match":{"app":"a"},"within":"0s"}"#,
            ])
        #expect(items.map(\.within) == [0, 2000, 0])
    }

    @Test func `a name is for people`() throws {
        let file = try file(#"[{"name":"a welcome","count":1}]"#)
        #expect(
            String(decoding: file.expectations[0].body(since: 3, waiting: 0), as: UTF8.self)
                == #"{"count":1,"match":{"since":3},"within":"0s"}"#)
        let results = try file.results { _ in (417, Array(#"{"met":false,"count":0,"why":"None."}"#.utf8)) }
        #expect(file.lines(results)[0] == "pushpit: expectation 1 (a welcome) of e.json: not met, 0 found")
    }

    @Test func `only pushes since an event count, unless the expectation says otherwise`() throws {
        let items = try file(#"[{}, {"match":{"app":"a"}}, {"match":{"since":3},"count":2}]"#).expectations
        #expect(
            items.map { String(decoding: $0.body(since: 7, waiting: $0.within), as: UTF8.self) } == [
                #"{"match":{"since":7},"within":"0s"}"#, #"{"match":{"app":"a","since":7},"within":"0s"}"#,
                #"{"count":2,"match":{"since":3},"within":"0s"}"#,
            ])
    }

    @Test func `all filters of a sequence begin at that event`() throws {
        let items = try file(#"[{"sequence":[{"app":"a"},{"event":{"kind":"opened"},"since":3}],"within":"1s"}]"#)
            .expectations
        #expect(
            items.map { String(decoding: $0.body(since: 7, waiting: $0.within), as: UTF8.self) } == [
                #"{"sequence":[{"app":"a","since":7},{"event":{"kind":"opened"},"since":3}],"within":"1s"}"#
            ])
        #expect(
            items.map { String(decoding: $0.body(since: nil, waiting: $0.within), as: UTF8.self) } == [
                #"{"sequence":[{"app":"a"},{"event":{"kind":"opened"},"since":3}],"within":"1s"}"#
            ])
    }

    @Test(arguments: [
        ("", "is not JSON"), ("[]", "has no expectations, so nothing would be checked"),
        (
            "[{\"match\":{\"reason\":\"Unregisterd\"}}]",
            "at /match/reason: No push has the reason 'Unregisterd'. Did you mean"
        ),
        (
            "[{\"match\":{\"rule\":\"apns.BadDeviceTokn\"}}]",
            "at /match/rule: There is no rule 'apns.BadDeviceTokn'. Did you"
        ), ("{}", "must be a list of expectations"),
        ("[{\"name\":7}]", "expectation 1 at /name: "), ("[1]", "expectation 1: This must be an object."),
        ("[{},{\"count\":-1}]", "expectation 2 at /count: "), ("[{\"cuont\":1}]", "expectation 1 at /cuont: "),
        ("[{\"match\":{\"colour\":\"red\"}}]", "expectation 1 at /match/colour: "),
        ("[{\"sequence\":[{\"text\":{\"regex\":\"(\"}}]}]", "expectation 1 at /sequence/0/text/regex: "),
        ("[{\"count\":1,\"never\":true}]", "expectation 1: Send at most one of"),
    ]) func `a wrong file is refused before the command starts`(text: String, message: String) {
        let error = #expect(throws: ExitFailure.self) { _ = try file(text) }
        #expect(error?.code == 65)
        #expect(error?.message?.hasPrefix("--expect e.json ") == true)
        #expect(error?.message?.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `expectations that are not met are printed with the nearest pushes`() throws {
        let answers = [
            (200, #"{"met":true,"count":1,"messages":["p1"]}"#),
            (
                417,
                #"{"met":false,"count":0,"why":"None.","nearest":[{"message":"p2","differs":[{"at":"app","expected":"a","got":"b"}]}]}"#
            ),
        ]
        var left = answers[...]
        let file = try file("[{},{}]")
        let results = try file.results { _ in
            let (status, body) = left.removeFirst()
            return (status, Array(body.utf8))
        }
        #expect(results.map { $0.failure == nil } == [true, false])
        #expect(
            file.lines(results) == [
                "pushpit: expectation 2 of e.json: not met, 0 found", "  expected: {}", "  None.",
                #"  p2: app is "b", not "a""#,
            ])
    }
}

extension ExpectationFile {
    /// The results if the gateway answers like this.
    func results(
        _ answer: (Item) throws(ExitFailure) -> (status: Int, body: [UInt8])
    ) throws(ExitFailure) -> [ExpectationResult] {
        var results: [ExpectationResult] = []
        try check { (item, _) throws(ExitFailure) in
            try answer(item)
        } found: {
            results.append($0)
        }
        return results
    }
}
