import HTTPCore
import JSON
import PushCore
import Testing

@testable import ControlAPI

/// What the control API says about unknown names and wrong values in queries and in `match`.
@Suite struct UnknownNameTests {
    static let queries = [
        (
            "/messages?outcome=acepted",
            "'outcome' must be one of accepted, refused; it is 'acepted'. Did you mean 'accepted'?"
        ),
        ("/messages?status=ok", "'status' must be a status such as 200; it is 'ok'."),
        ("/messages?limit=many", "'limit' must be a whole number from 1 to 1000; it is 'many'."),
        ("/messages?outcom=accepted", "'outcom' is unknown. Did you mean 'outcome'? Use one of "),
        ("/messages?limt=1", "'limt' is unknown. Did you mean 'limit'? Use one of "),
    ]

    @Test(arguments: queries) func `a wrong parameter is named with its value`(row: (path: String, start: String))
        throws
    {
        let problem = try TestHost().problem(.get, row.path)
        #expect(problem.status == 400 && problem.code == "badQuery")
        #expect(problem.message.hasPrefix(row.start), "\(problem.message)")
    }

    static let bodies: [(JSONValue, String, String)] = [
        (
            ["match": ["outcome": "acepted"]], "'outcome' must be one of accepted, refused; it is 'acepted'.",
            "/match/outcome"
        ),
        (["within": 5], "'within' must be a duration such as 250ms, 5s, 1m or 1h; it is 5.", "/within"),
        (["macth": [:]], "'macth' is unknown. Did you mean 'match'? Use one of ", "/macth"),
    ]

    @Test(arguments: bodies) func `a wrong member is named with its value`(
        row: (body: JSONValue, start: String, pointer: String)
    ) throws {
        let problem = try TestHost().problem(.post, "/expect", row.body)
        #expect(problem.status == 400 && problem.pointer == row.pointer)
        #expect(problem.message.hasPrefix(row.start), "\(problem.message)")
    }

    @Test(
        arguments: [
            (["extension": ["script": "firebse"]], "'firebse' is unknown. Did you mean 'firebase'? Use one of none, "),
            (
                ["extension": ["script": "firebase", "image_key": "x"]],
                "'image_key' is unknown. Did you mean 'imageKey'? "
            ),
            (["state": ["lockd": true]], "'lockd' is unknown. Did you mean 'locked'? Use one of online, "),
            (["appConfig": ["willPresent": ["baner"]]], "'baner' is unknown. Did you mean 'banner'? Use one of "),
        ] as [([String: JSONValue], String)])
    func `a wrong name in a device is guessed`(row: (spec: [String: JSONValue], start: String)) throws {
        var members: [(key: String, value: JSONValue)] = [("platform", "ios"), ("app", "com.example.app")]
        members += row.spec.map { ($0.key, $0.value) }
        let problem = try TestHost().problem(.post, "/devices", .object(members))
        #expect(problem.message.hasPrefix(row.start), "\(problem.message)")
    }

    @Test func `a long value is shortened, and control characters are escaped`() throws {
        let long = try TestHost().problem(.post, "/expect", ["within": .string(String(repeating: "x", count: 500))])
        #expect(long.message.hasSuffix("; it is \"\(String(repeating: "x", count: 59))…."), "\(long.message)")
        let query = try TestHost().problem(.get, "/messages?status=%1b%5b2J")
        #expect(query.message.contains(#"'\u001b[2J'"#), "\(query.message)")
    }
}
