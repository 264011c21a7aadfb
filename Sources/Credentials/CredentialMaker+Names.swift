internal import Platform
internal import PushCore
internal import TLS

/// The host names in the server certificate.
extension CredentialMaker {
    /// The host names in each server certificate that Pushpit makes, besides the name of this machine, the names that the
    /// gateway needs, and the names that an earlier certificate had.
    private static let hosts = ["localhost"] + Vendor.hosts + ["127.0.0.1", "::1"]

    /// A host name that the server certificate lacks; nil if it has them all, or if the user provided the certificate.
    func missingName() throws -> String? {
        try ownServer().flatMap { server in (Self.hosts + needs.names).first { !server.matches(host: $0) } }
    }

    /// Says which needed names the user's own certificate lacks.
    mutating func noteMissingNames() throws {
        guard try ownServer() == nil, let server = try certificate("server.pem") else { return }
        for name in needs.names
        where !server.matches(host: name) && Files.beginning(of: path("server-\(name).pem"), 1) == nil {
            note(
                "\(path("server.pem")) is your own certificate and lacks the name \(name), so clients that use this name "
                    + "will refuse it. Add another certificate as server-\(name).pem with server-\(name)-key.pem.")
        }
    }

    /// The old names stay, because another gateway with the same directory may need them.
    func names() throws -> [SubjectAlternativeName] {
        let old = (try? ownServer())?.alternativeNames.prefix(Self.maxOldNames) ?? []
        var names: [SubjectAlternativeName] = []
        for name in try (Self.hosts + needs.names + [Files.hostName]).map(SubjectAlternativeName.init) + old
        where !names.contains(name) { names.append(name) }
        return names
    }

    private static let maxOldNames = 100
}
