package import PushCore

/// What of APNs can be switched; the defaults are the real service's.
package struct APNsPolicy: Sendable {
    package var auth = Auth.lenient
    /// What every host but Apple's sandbox names means.
    package var environment = PushEnvironment.production
    package var validation = Validation.strict
    package var acceptsUnknownDevices = true
    package var checks = APNsCheck.standardOrder
    /// The keys that are known, by id.
    package var keys: [String: ProviderKey] = [:] { didSet { keysGeneration += 1 } }
    /// What was judged with other keys is judged again.
    private(set) var keysGeneration = 0
    /// Milliseconds a provider token is good for, and how far its `iat` may lie ahead.
    package var tokenLifetime: Int64 = 3_600_000
    package var clockTolerance: Int64 = 3_600_000
    /// Milliseconds that have to pass on one connection before another provider token is taken.
    package var tokenUpdateInterval: Int64 = 1_200_000
    /// `BadEnvironmentKeyIdInToken`, as Apple's documentation spells it, instead of what is on the wire.
    package var usesDocumentedSpelling = false
    /// Where the other answer is taken.
    package var choices: Set<APNsChoice> = []
    /// A background push of priority 10 is BadPriority; else it is accepted, with a finding.
    package var isStrictAboutBackgroundPriority = false

    package enum Auth: String, Sendable, CaseIterable { case off, lenient, strict }
    package enum Validation: String, Sendable, CaseIterable { case strict, service }

    package init() {}
}
