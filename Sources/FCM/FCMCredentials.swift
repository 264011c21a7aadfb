internal import HTTPCore
internal import PushCore

/// Who sends (facts/fcm.md §1.6).
enum FCMCredentials {
    /// What is noted of the bearer; throws where it is none.
    static func check(
        _ request: Request, _ policy: FCMPolicy, _ bearers: BearerBook, at now: Timestamp
    ) throws(GoogleError) -> Finding? {
        guard policy.asksForCredentials else { return nil }
        let field = request.headers.first(.authorization) ?? []
        let parts = field.split(separator: 0x20, maxSplits: 1)
        guard parts.count == 2, parts[0].map({ $0 | 0x20 }).elementsEqual("bearer".utf8), !parts[1].isEmpty else {
            throw .credentialsMissing
        }
        guard parts[1].allSatisfy(isToken68) else { throw .credentialsInvalid }
        if let bearer = bearers[String(decoding: parts[1], as: UTF8.self)] {
            if bearer.expires <= now { throw .credentialsExpired }
            if !bearer.maySend { throw .scopeInsufficient }
            return nil
        }
        if isJWT(parts[1]) { throw .credentialsOfWrongType }
        if policy.asksForKnownBearers { throw .credentialsInvalid }
        return unknownBearer
    }

    private static let unknownBearer = Finding(
        "auth.unknown-bearer", .note, at: "headers/authorization",
        "The bearer was not issued by this gateway, and is taken as it is; Google would ask who issued it.")

    /// RFC 9110 §11.2.
    private static func isToken68(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Three parts, the first an object in base64url.
    private static func isJWT(_ token: ArraySlice<UInt8>) -> Bool {
        token.starts(with: "eyJ".utf8) && token.split(separator: UInt8(ascii: ".")).count == 3
    }
}
