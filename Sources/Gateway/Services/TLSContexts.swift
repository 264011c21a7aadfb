internal import Credentials
internal import TLS

/// The certificates that the gateway shows to clients.
struct TLSContexts {
    /// Nil without TLS.
    var server: TLSContext?
    private var untrusted: TLSContext??
    private var expired: TLSContext??

    /// A context whose certificate no client trusts; nil if it cannot be created. It is created when a fault first
    /// needs it.
    mutating func untrusted(now: Int64) -> TLSContext? {
        if let untrusted { return untrusted }
        let made = Credentials.untrustedTLSContext(now: now)
        untrusted = .some(made)
        return made
    }

    /// A context with an expired certificate of the gateway's authority; nil if it cannot be created.
    mutating func expired(in directory: String, now: Int64) -> TLSContext? {
        if let expired { return expired }
        let made = Credentials.expiredTLSContext(in: directory, now: now)
        expired = .some(made)
        return made
    }
}
