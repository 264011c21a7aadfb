package import PushCore

/// The access tokens that this gateway issued. When there are ten thousand, the older half is dropped.
package struct BearerBook: Sendable {
    struct Bearer: Sendable {
        /// It was requested with one of the scopes that `messages:send` needs.
        let maySend: Bool
        let account: String
        /// The project of the service account; nil if the account's address does not contain one.
        let project: String?
        fileprivate(set) var expires: Timestamp
    }

    /// Each of these scopes allows sending (documented).
    private static let sendScopes = [
        "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
    ]

    private var bearers: [String: Bearer] = [:]
    private var order: [String] = []
    private static let capacity = 10_000
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    package init() {}

    subscript(token: String) -> Bearer? { bearers[token] }

    /// Ends the tokens of a project's accounts, those of one account, or all of them. Returns how many had not expired
    /// yet.
    package mutating func expire(of project: String?, account: String? = nil, at now: Timestamp) -> Int {
        var count = 0
        for (token, bearer) in bearers
        where (project == nil || bearer.project == project) && (account == nil || bearer.account == account) {
            if bearer.expires > now { count += 1 }
            // 0 instead of `now`, because the clock may be moved back, and the token must not become valid again.
            bearers[token]?.expires = Timestamp(milliseconds: 0)
        }
        return count
    }

    private static let maximumAccountLength = 255

    /// The project in `name@PROJECT.iam.gserviceaccount.com` (documented).
    private static func project(of account: String) -> String? {
        let parts = account.split(separator: "@", maxSplits: 1)
        guard account.utf8.count <= maximumAccountLength, parts.count == 2,
            parts[1].hasSuffix(".iam.gserviceaccount.com")
        else { return nil }
        return String(parts[1].dropLast(".iam.gserviceaccount.com".count))
    }

    /// Issues a token that may send messages to one project.
    package mutating func issue(toProject project: String, until expires: Timestamp, using generator: inout Random)
        -> String
    {
        issue(to: "pushpit@\(project).iam.gserviceaccount.com", [Self.sendScopes[0]], until: expires, using: &generator)
    }

    mutating func issue(to account: String, _ scopes: [String], until expires: Timestamp, using generator: inout Random)
        -> String
    {
        let token = "ya29.c." + String((0..<180).map { _ in Self.alphabet[Int(generator.next() & 63)] })
        if order.count >= Self.capacity {
            for old in order.prefix(Self.capacity / 2) { bearers[old] = nil }
            order.removeFirst(Self.capacity / 2)
        }
        order.append(token)
        bearers[token] = Bearer(
            maySend: scopes.contains { Self.sendScopes.contains($0) }, account: account,
            project: Self.project(of: account), expires: expires)
        return token
    }
}
