package import HTTPCore

/// Which of Google's calls a request is.
package enum GoogleRoute: Sendable, Equatable {
    case send(project: String)
    case token
    /// The topics of a registration; the last piece of the path where there is one.
    case subscriptions(project: String, registration: String, last: String?)
    case batch(isAdding: Bool)
    case batchImport
    case relation(token: String, topic: String)
    case info(token: String)
    case legacySend
    /// Served no more, or never.
    case none

    package init(_ request: Request) {
        // The only one that is asked for by the thousand.
        if request.method == .post, let project = SendPath.project(of: request) {
            self = .send(project: project)
            return
        }
        let pieces = request.path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map
        {
            PercentCode.decode($0, isForm: false)
        }
        self =
            Self.table.lazy.filter { $0.methods.contains(request.method) }.compactMap { row in
                Self.match(row.path, pieces).map(row.route)
            }.first ?? .none
    }

    private struct Row: Sendable {
        let methods: [Method]
        /// `*` stands for any piece.
        let path: [String]
        /// From what the stars stand for.
        let route: @Sendable ([String]) -> GoogleRoute

        init(_ methods: [Method], _ path: String, _ route: @escaping @Sendable ([String]) -> GoogleRoute) {
            self.methods = methods
            self.path = path.split(separator: "/").map(String.init)
            self.route = route
        }
    }

    private static let table = [
        Row([.post], "token") { _ in .token },
        Row([.post, .get], "v1/projects/*/registrations/*/topicSubscriptions") {
            .subscriptions(project: $0[0], registration: $0[1], last: nil)
        },
        Row([.get, .delete, .patch], "v1/projects/*/registrations/*/topicSubscriptions/*") {
            .subscriptions(project: $0[0], registration: $0[1], last: $0[2])
        },
        // What SDKs on phones ask for.
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
    ]

    /// A token has a thousand letters at most, a topic 900.
    private static let longestPiece = 1100

    /// What the stars stand for; nil where they differ.
    private static func match(_ pattern: [String], _ pieces: [String]) -> [String]? {
        guard pattern.count == pieces.count else { return nil }
        var found: [String] = []
        for (wanted, piece) in zip(pattern, pieces) {
            if wanted == "*", 1...longestPiece ~= piece.utf8.count {
                found.append(piece)
            } else if wanted != piece {
                return nil
            }
        }
        return found
    }
}
