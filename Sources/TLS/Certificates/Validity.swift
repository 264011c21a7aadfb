/// The period in which a certificate is valid, both ends included, in Unix seconds.
package struct Validity: Hashable, Sendable {
    package let notBefore: Int64
    package let notAfter: Int64

    package init(notBefore: Int64, notAfter: Int64) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Starts an hour before `now`, so that a client whose clock is slow accepts the certificate too.
    package static func days(_ days: Int64, from now: Int64) -> Validity {
        Validity(notBefore: now - 3_600, notAfter: now + days * 86_400)
    }

    package func contains(_ time: Int64) -> Bool { notBefore <= time && time <= notAfter }
    package func hasEnded(by time: Int64) -> Bool { time > notAfter }
}
