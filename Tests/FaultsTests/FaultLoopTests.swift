import HTTPCore
import JSON
import PushCore
import Testing

@testable import Faults

/// Many faults at once decide as a plain loop over them does, and share the work on a push.
@Suite struct FaultLoopTests {
    /// A fault as this test's own loop sees it.
    private struct Plain {
        var conditions: [String: String] = [:]
        var header: (name: String, value: String)?
        var body: (pointer: String, value: String)?
        var nth: Int?
        var seen = 0

        init(_ random: inout Random) {
            for (name, values) in FaultLoopTests.values where Int.random(in: 0...5, using: &random) == 0 {
                conditions[name] = values.randomElement(using: &random)
            }
            if Bool.random(using: &random) {
                header = (
                    ["X-A", "x-b", ":method"].randomElement(using: &random)!,
                    ["1", "2", "POST"].randomElement(using: &random)!
                )
            }
            if Bool.random(using: &random) {
                body = (
                    ["/aps/alert", "/aps/badge", "/n", ""].randomElement(using: &random)!,
                    [#""Hello""#, "1", "1.0", "{}"].randomElement(using: &random)!
                )
            }
            nth = Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil
        }

        var text: String {
            var members = conditions.map { "\"\($0)\":\"\($1)\"" }
            if let header { members.append(#""headers":{"\#(header.name)":"\#(header.value)"}"#) }
            if let body { members.append(#""body":{"\#(body.pointer)":\#(body.value)}"#) }
            let count = nth.map { ",\"nth\":\($0)" } ?? ""
            return #"{"match":{\#(members.joined(separator: ","))},"effect":{"delay":"5s"}\#(count)}"#
        }

        func matches(_ candidate: FaultMatch.Candidate) throws -> Bool {
            let request = try #require(candidate.request)
            let known = [
                "app": candidate.app, "token": candidate.token?.uppercased(), "topic": candidate.topic,
                "pushType": candidate.pushType, "path": String(decoding: request.path, as: UTF8.self),
                "reason": candidate.reason ?? "accepted",
            ]
            guard conditions.allSatisfy({ known[$0] == $1 }) else { return false }
            if let header {
                let name = header.name.lowercased()
                let found = request.headers.contains {
                    $0.name.elementsEqual(name.utf8) && $0.value.elementsEqual(header.value.utf8)
                }
                if !found { return false }
            }
            guard let body else { return true }
            guard let root = (try? JSONDocument(parsing: request.body))?.root else { return false }
            let wanted = JSONValue(try JSONDocument(parsing: Array(body.value.utf8)).root)
            return root[try #require(JSONPointer(body.pointer))].map { JSONValue($0) } == wanted
        }
    }

    private static let values = [
        ("app", ["com.example.app", "com.example.other"]), ("token", ["A1B2", "A1B3"]), ("topic", ["t", "u"]),
        ("pushType", ["alert", "background"]), ("path", ["/3/device/a1b2", "/3"]),
        ("reason", ["accepted", "BadTopic"]),
    ]

    private static func candidate(_ random: inout Random) -> FaultMatch.Candidate {
        func one(_ index: Int, _ random: inout Random) -> String { values[index].1.randomElement(using: &random)! }
        let path = one(4, &random) + "?q"
        var fields: [(String, String)] = []
        for name in ["x-a", "x-a", "x-b"] where Bool.random(using: &random) {
            fields.append((name, String(Int.random(in: 1...2, using: &random))))
        }
        let body = [
            #"{"aps":{"alert":"Hello","badge":1},"n":1.0}"#, #"{"n":{}}"#, "{}", "{",
            #"{"aps":{"alert":"\u0048ello"}}"#,
        ].randomElement(using: &random)!
        let request = FaultFixture.request(fields, path: path, body: body)
        return FaultMatch.Candidate(
            app: one(0, &random), token: one(1, &random).lowercased(), topic: one(2, &random),
            pushType: one(3, &random), request: request, reason: Bool.random(using: &random) ? nil : "BadTopic")
    }

    @Test(arguments: 0..<40) func `many faults decide as a plain loop does`(seed: UInt64) throws {
        var random = Random(seed: seed)
        var plain = (0..<60).map { _ in Plain(&random) }
        var book = FaultBook()
        for fault in plain { _ = try book.add(FaultFixture.json(fault.text), at: FaultFixture.start, seed: 7) }
        for _ in 0..<60 {
            let candidate = Self.candidate(&random)
            var expected: String?
            for index in plain.indices where try expected == nil && plain[index].matches(candidate) {
                plain[index].seen += 1
                if plain[index].nth ?? plain[index].seen == plain[index].seen { expected = "f\(index + 1)" }
            }
            var memory = FaultMemory()
            let found = book.firstFault(hitting: candidate, &memory, at: FaultFixture.start)?.id
            #expect(found == expected, "seed \(seed)")
        }
        #expect(book.faults.map(\.seen) == plain.map(\.seen), "seed \(seed)")
    }

    /// The match of each of 1,000 faults, and how often they parse the body of one push.
    @Test(arguments: [
        (#""headers":{"x-N":"y"},"body":{"/aps/alert":"no-N"}"#, 0), (#""token":"N","body":{"/n":"no-N"}"#, 0),
        (#""body":{"/aps/alert":"no-N"}"#, 1), (#""body":{"/aps/N":1}"#, 1),
        (#""headers":{":method":"POST"},"body":{"/n":N}"#, 1),
        (#""provider":"apns","body":{"/aps/alert":"no-N"}"#, 1),
    ])
    func `a body is parsed once at most`(match: String, count: Int) throws {
        let request = FaultFixture.request(body: #"{"aps":{"alert":"Hello"}}"#)
        var parts = RequestParts(request)
        for number in 0..<1000 {
            let text = match.replacing("N", with: String(number))
            let fault = try FaultMatch(FaultFixture.json("{\(text)}"), at: "")
            let isMatch = fault.matches(.init(app: "a", token: "x", request: request), &parts)
            #expect(!isMatch)
        }
        #expect(parts.parseCount == count)
    }
}
