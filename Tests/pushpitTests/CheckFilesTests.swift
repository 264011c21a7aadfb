import Testing

@testable import pushpit

/// `pushpit check` with several files: how it ends.
@Suite struct CheckFilesTests {
    @Test(
        arguments: [
            (["/no/file"], 66, "1 of 1 can't be read"), (["/no/a", "/no/b"], 66, "2 of 2 can't be read"),
            (["/no/file", #filePath], 65, "1 of 2 would be refused, and 1 can't be read"),
            ([#filePath, "/no/file", #filePath], 65, "2 of 3 would be refused, and 1 can't be read"),
        ] as [([String], Int32, String)])
    func `a file that can't be read does not end the check`(files: [String], code: Int32, message: String) {
        // This file is not JSON.
        let failure = #expect(throws: ExitFailure.self) {
            try Check.run(try CommandLineCase.options(.check, files))
        }
        #expect(failure == ExitFailure(code: code, message: message))
    }

    @Test func `a file is required`() {
        let error = CommandLineCase.usageError { () throws(ExitFailure) in
            try Check.run(CommandLineCase.options(.check))
        }
        #expect(error == "check needs at least one FILE, or - for standard input; see 'pushpit check --help'")
    }

    @Test func `an unknown push type is refused before the file is read`() {
        let error = CommandLineCase.usageError { () throws(ExitFailure) in
            try Check.run(try CommandLineCase.options(.check, ["--type", "x", "/does/not/exist"]))
        }
        #expect(error?.hasPrefix("--type 'x' must be one of alert, background, ") == true)
    }
}
