import HTTPCore
import JSON

@testable import PushEngine

/// What the engine answers.
extension EngineFixture {
    struct Answer: Equatable, CustomStringConvertible {
        let status: Int
        /// The reason or error code of a refusal; nil for an acceptance.
        var reason: String?
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        var fault: String?

        var description: String { reason.map { "\(status) \($0)" } ?? "\(status)" }
        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONView? { (try? JSONDocument(parsing: body))?.root }
    }

    static func answer(_ response: Response) -> Answer {
        var headers: [String: String] = [:]
        for (name, value) in response.headers {
            headers[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
        }
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        return Answer(status: response.status, headers: headers, body: body)
    }
}
