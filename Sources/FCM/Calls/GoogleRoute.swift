package import HTTPCore
internal import PushCore

/// The operation of Google's APIs that a request calls.
package enum GoogleRoute: Sendable, Equatable {
    case send(project: String)
    case token
    /// The topic subscriptions of a registration. `last` is the path segment after the collection; nil for the
    /// collection itself.
    case subscriptions(project: String, registration: String, last: String?)
    case batch(isAdding: Bool)
    case batchImport
    case relation(token: String, topic: String)
    case info(token: String)
    case legacySend
    /// The batch requests that ended in 2024.
    case removedBatch
    /// An old way for browsers to subscribe to pushes. It refuses nearly every caller.
    case connect
    /// A path or method that Google does not serve.
    case none

    package init(_ request: Request) {
        // The only operation on the hot path is checked first.
        if request.method == .post, let project = SendPath.project(of: request) {
            self = .send(project: project)
            return
        }
        let segments = request.path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map {
                PercentCode.decode($0, isForm: false)
            }
        self =
            Self.table.lazy.filter { $0.methods.contains(request.method) }.compactMap { row in
                Self.match(row.path, segments).map(row.route)
            }.first ?? .none
    }

    private struct Row: Sendable {
        let methods: [Method]
        /// `*` matches any segment.
        let path: [String]
        /// Makes the route from the segments that matched `*`.
        let route: @Sendable ([String]) -> GoogleRoute

        init(_ methods: [Method], _ path: String, _ route: @escaping @Sendable ([String]) -> GoogleRoute) {
            self.methods = methods
            self.path = path.split(separator: "/").map(String.init)
            self.route = route
        }
    }

    /// The path of the token endpoint, and the older ones on `www.googleapis.com` and `accounts.google.com`.
    package static let tokenPaths = ["/token", "/oauth2/v4/token", "/o/oauth2/token"]

    private static let table: [Row] =
        tokenPaths.map { Row([.post], $0) { _ in .token } } + [
            Row([.post, .get], "v1/projects/*/registrations/*/topicSubscriptions") {
                .subscriptions(project: $0[0], registration: $0[1], last: nil)
            },
            Row([.get, .delete, .patch], "v1/projects/*/registrations/*/topicSubscriptions/*") {
                .subscriptions(project: $0[0], registration: $0[1], last: $0[2])
            },
            // Calls of the SDKs on phones.
            Row([.post], "v1/projects/*/registrations/*/topicSubscriptions/*") {
                $0[2].hasSuffix(":subscribe") || $0[2].hasSuffix(":unsubscribe")
                    ? .subscriptions(project: $0[0], registration: $0[1], last: $0[2]) : .none
            },
            Row([.post], "iid/v1:batchAdd") { _ in .batch(isAdding: true) },
            Row([.post], "iid/v1:batchRemove") { _ in .batch(isAdding: false) },
            Row([.post], "iid/v1:batchImport") { _ in .batchImport },
            Row([.post], "iid/v1/*/rel/topics/*") { .relation(token: $0[0], topic: $0[1]) },
            Row([.get, .post], "iid/info/*") { .info(token: $0[0]) },
            Row([.post], "fcm/send") { _ in .legacySend },
            Row([.post], "fcm/connect/subscribe") { _ in .connect },
            Row([.post], "batch") { _ in .removedBatch },
        ]

    /// The maximum length in bytes of a segment that `*` matches: a token has about a thousand characters, a topic 900.
    private static let maximumSegmentLength = 1100

    /// The segments that matched `*`; nil if the path does not match.
    private static func match(_ pattern: [String], _ segments: [String]) -> [String]? {
        guard pattern.count == segments.count else { return nil }
        var found: [String] = []
        for (expected, segment) in zip(pattern, segments) {
            if expected == "*", 1...maximumSegmentLength ~= segment.utf8.count {
                found.append(segment)
            } else if expected != segment {
                return nil
            }
        }
        return found
    }
}
