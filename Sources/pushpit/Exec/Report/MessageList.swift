internal import JSON

/// The messages of a gateway, as `GET /messages` shows them.
enum MessageList {
    /// The largest size of a page. Its messages, each with its body, have to fit into one JSON document.
    private static let pageSize = 100

    /// All messages, the oldest first.
    ///
    /// - Parameters:
    ///   - since: the number of an event, to leave out earlier messages.
    ///   - get: sends a GET request to this path of the control API, and returns the body of the answer.
    static func all(since: UInt64?, _ get: (String) throws(ExitFailure) -> [UInt8]) throws(ExitFailure) -> [JSONView] {
        let path = "/messages?limit=\(pageSize)\(since.map { "&since=\($0)" } ?? "")"
        var newestFirst: [JSONView] = []
        var cursor = ""
        while true {
            let body = try get(path + cursor)
            let page: JSONView
            do throws(JSONError) { page = try JSONDocument(parsing: body).root } catch {
                throw .unavailable("the gateway's list of messages is not JSON: \(error)")
            }
            newestFirst.append(contentsOf: page["messages"]?.elements.map(\.self) ?? [])
            guard let next = page["next"]?.string else { return newestFirst.reversed() }
            cursor = "&cursor=\(next)"
        }
    }
}
