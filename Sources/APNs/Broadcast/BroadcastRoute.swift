internal import HTTPCore

/// The calls of the broadcast and channel APIs (docs/evidence/apns.md §1.1, documented).
enum BroadcastRoute: Equatable {
    case create, read, delete, list, broadcast

    private static let table: [(method: Method, start: String, end: String, route: BroadcastRoute)] = [
        (.post, "/1/apps/", "/channels", .create), (.get, "/1/apps/", "/channels", .read),
        (.delete, "/1/apps/", "/channels", .delete), (.get, "/1/apps/", "/all-channels", .list),
        (.post, "/4/broadcasts/apps/", "", .broadcast),
    ]

    /// The route and the app in its path; nil if no route has this path and method.
    static func find(_ method: Method, _ path: String) -> (route: BroadcastRoute, app: String)? {
        for row in table where row.method == method && path.hasPrefix(row.start) && path.hasSuffix(row.end) {
            guard path.utf8.count > row.start.utf8.count + row.end.utf8.count else { continue }
            let app = path.dropFirst(row.start.count).dropLast(row.end.count)
            if !app.contains("/") { return (row.route, String(app)) }
        }
        return nil
    }
}
