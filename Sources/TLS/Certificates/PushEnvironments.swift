/// The APNs environments a client certificate is marked for.
package struct PushEnvironments: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let development = PushEnvironments(rawValue: 1)
    package static let production = PushEnvironments(rawValue: 2)
    package static let both: PushEnvironments = [.development, .production]
}
