import HTTPCore
import JSON
import PushCore

@testable import Faults

/// A book of faults, one connection, and a clock that only the test moves.
final class FaultFixture {
    static let start = Timestamp(milliseconds: 1_800_000_000_000)
    static let app = "com.example.app"
    /// The effect of a fault that refuses what it hits.
    static let refusal = #""effect":{"answer":{"status":500,"reason":"InternalServerError"}}"#

    var book = FaultBook()
    var now = start
    /// What faults remember about the connection.
    var connection = FaultMemory()

    /// Adds a fault as the control API does. Returns its id.
    @discardableResult func fault(_ text: String, seed: UInt64 = 7) throws -> String {
        try book.add(Self.json(text), at: now, seed: seed).id
    }

    /// The id of the fault that hits a request.
    @discardableResult func hit(_ candidate: FaultMatch.Candidate) -> String? {
        book.firstFault(hitting: candidate, &connection, at: now)?.id
    }

    /// The id of the fault that hits a push to a token.
    @discardableResult func push(_ token: String = "a1b2", type: String? = nil) -> String? {
        hit(.init(app: Self.app, token: token, pushType: type))
    }

    static func request(_ fields: [(String, String)] = [], path: String = "/3/device/a1b2", body: String) -> Request {
        var headers = HeaderBlock([.method: "POST", .path: path])
        for (name, value) in fields { headers.append(HeaderName(name), value) }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(body.utf8)
        return request
    }

    static func json(_ text: String) -> JSONView {
        guard let document = try? JSONDocument(parsing: Array(text.utf8)) else {
            preconditionFailure("no JSON: \(text)")
        }
        return document.root
    }
}
