internal import JSON

/// The report for programs that read JUnit's XML: a test case for the command, and one for each expectation.
extension ExecReport {
    private static let suite = "pushpit exec"
    private static let longestName = 200

    private struct Case {
        let name: String
        let failure: (message: String, text: String)?
        var milliseconds: Int64?

        /// The attribute, in seconds.
        var time: String {
            milliseconds.map { " time=\"\($0 / 1000).\("\($0 % 1000 &+ 1000)".dropFirst())\"" } ?? ""
        }
    }

    var junit: [UInt8] {
        let cases =
            [commandCase] + expectations.enumerated().map { Self.testCase(number: $0 &+ 1, $1) }
            + (problem.map { [Case(name: "checks", failure: ($0, $0))] } ?? [])
        let failures = cases.count { $0.failure != nil }
        let lines =
            [
                #"<?xml version="1.0" encoding="UTF-8"?>"#,
                "<testsuites>",
                #"  <testsuite name="\#(Self.suite)" tests="\#(cases.count)" failures="\#(failures)" errors="0"\#(commandCase.time)>"#,
            ] + (cases.map(Self.element) + pushes) + ["  </testsuite>", "</testsuites>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// The pushes, a line for each.
    private var pushes: [String] {
        if messages.isEmpty { return [] }
        let lines = messages.flatMap { ReportedPush($0).lines }.map { XMLText.escaped($0) + "\n" }
        return ["    <system-out>\(lines.joined())</system-out>"]
    }

    private var commandCase: Case {
        Case(
            name: "command: \(command)", failure: failure.map { ($0, "\($0)\nThe command: \(commandLine)") },
            milliseconds: milliseconds)
    }

    private static func testCase(number: Int, _ result: ExpectationResult) -> Case {
        Case(
            name: "expectation \(number): \(result.name ?? result.label(longestName))",
            failure: result.failure.map { failure in
                let message = ([failure.message ?? "not met"] + failure.details.prefix(1)).joined(separator: ": ")
                let expected = "expected: \(result.label(longestName))"
                return (message, ([message, expected] + failure.details.dropFirst()).joined(separator: "\n"))
            })
    }

    private static func element(_ test: Case) -> String {
        let start = #"    <testcase classname="\#(suite)" name="\#(XMLText.escaped(test.name))"\#(test.time)"#
        guard let failure = test.failure else { return "\(start)/>" }
        return """
            \(start)>
                  <failure message="\(XMLText.escaped(failure.message))">\(XMLText.escaped(failure.text))</failure>
                </testcase>
            """
    }
}
