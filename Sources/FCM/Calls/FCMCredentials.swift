internal import HTTPCore
internal import PushCore

/// Checks the credentials of a request to Google's APIs (docs/evidence/fcm.md §1.6).
enum FCMCredentials {
    /// What the gateway knows about the sender of a request.
    ///
    /// A class, because a copy of it costs one reference count.
    final class Sender: Sendable {
        /// The access token if this gateway issued it, else nil.
        let bearer: BearerBook.Bearer?
        let finding: Finding?

        init(bearer: BearerBook.Bearer? = nil, finding: Finding? = nil) {
            self.bearer = bearer
            self.finding = finding
        }
    }

    /// The sender of a request, from `memo` if its credentials are the same as in the previous request.
    ///
    /// Throws if the credentials are missing or invalid.
    static func sender(
        of call: FCMDialect.Call, _ policy: FCMPolicy, _ bearers: BearerBook, _ memo: inout FCMRequestCache
    ) throws(GoogleError) -> Sender {
        let (request, query, now) = (call.request, call.query, call.now)
        let headers = request.headers
        guard let range = headers.range(of: .authorization) else {
            return try sender(of: request, query, policy, bearers, at: now)
        }
        let field = headers.storage.span.extracting(range)
        if let known = memo.sender(field, at: now) { return known }
        let sender = try sender(of: request, query, policy, bearers, at: now)
        memo.keep(sender, field)
        return sender
    }

    static func sender(
        of request: Request, _ query: GoogleQuery, _ policy: FCMPolicy, _ bearers: BearerBook, at now: Timestamp
    ) throws(GoogleError) -> Sender {
        guard policy.requiresCredentials else { return Sender() }
        let token = try token(request, query)
        guard token.allSatisfy(isToken68) else { throw .credentialsInvalid }
        if let bearer = bearers[String(decoding: token, as: UTF8.self)] {
            if bearer.expires <= now { throw .credentialsExpired }
            return Sender(bearer: bearer)
        }
        if isJWT(token) { throw .credentialsOfWrongType }
        if policy.requiresKnownBearers { throw .credentialsInvalid }
        return Sender(finding: unknownBearer)
    }

    /// Throws if the sender lacks the scope or the permission. Only `--auth strict` compares the sender's project with
    /// the path's (docs/evidence/fcm.md §10).
    static func authorize(
        _ sender: Sender, _ policy: FCMPolicy, _ project: String, _ permission: String
    ) throws(GoogleError) {
        guard let bearer = sender.bearer else { return }
        if !bearer.maySend { throw .scopeInsufficient }
        guard policy.requiresKnownBearers, let own = bearer.project, ![own, FCMPayload.senderID].contains(project)
        else {
            return
        }
        throw .noPermission(permission, project)
    }

    private static func token(_ request: Request, _ query: GoogleQuery) throws(GoogleError) -> ArraySlice<UInt8> {
        guard let field = request.headers.first(.authorization) else {
            if let token = query.bearer { return Array(token.utf8)[...] }
            throw query.hasKey || request.headers.first(HeaderName("x-goog-api-key")) != nil
                ? .keyAlone : .credentialsMissing
        }
        let parts = field.split(separator: 0x20, maxSplits: 1)
        guard parts.count == 2, parts[0].map({ $0 | 0x20 }).elementsEqual("bearer".utf8), !parts[1].isEmpty else {
            throw .credentialsMissing
        }
        return parts[1]
    }

    private static let unknownBearer = Finding(
        "auth.unknown-bearer", .note, at: "headers/authorization",
        "The bearer token was not issued by this gateway and is accepted unchecked; Google would verify it.")

    /// Whether a bearer token may contain this byte (`token68` of RFC 9110 §11.2).
    private static func isToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Whether the token looks like a JWT: three parts, the first of them a JSON object in base64url.
    private static func isJWT(_ token: ArraySlice<UInt8>) -> Bool {
        token.starts(with: "eyJ".utf8) && token.split(separator: UInt8(ascii: ".")).count == 3
    }
}
