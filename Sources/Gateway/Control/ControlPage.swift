internal import HTTPCore

/// Which part of a list is asked for: `limit` and `cursor` of a query (protocol.md).
struct ControlPage {
    private static let most = 1000
    private(set) var limit = 50
    private(set) var start = 0

    init(_ request: Request) throws(ControlProblem) {
        let query = String(decoding: request.target, as: UTF8.self).split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            let (name, value) = (parts[0], parts.count == 2 ? parts[1] : "")
            switch name {
            case "limit":
                guard let number = Int(value), 1...Self.most ~= number else {
                    throw Self.bad("'limit' must be a number from 1 to \(Self.most).")
                }
                limit = number
            case "cursor":
                guard let number = Int(value), number >= 0 else { throw Self.bad("'\(value)' is no cursor of ours.") }
                start = number
            default: throw Self.bad("'\(name)' is not known here: take limit or cursor.")
            }
        }
    }

    /// Where the next page begins; nil on the last.
    func next(of count: Int) -> String? { start + limit < count ? String(start + limit) : nil }

    private static func bad(_ message: String) -> ControlProblem {
        ControlProblem(status: 400, code: "badQuery", message: message)
    }
}
