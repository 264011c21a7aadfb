internal import PushCore

/// The variables of the preloaded library (Sources/CPreload). In each program that loads it, the library redirects
/// connections to the gateway, and adds the gateway's authority to CA bundles.
struct PreloadVariables {
    let files: ExecFiles
    let authority: String
    let port: UInt16

    private static let table: [(name: String, value: @Sendable (PreloadVariables) -> String)] = [
        ("PUSHPIT_PRELOAD_HOSTS", { _ in Vendor.hosts.joined(separator: ",") }),
        ("PUSHPIT_PRELOAD_PORT", { String($0.port) }),
        ("PUSHPIT_PRELOAD_AUTHORITY", { $0.authority }),
        ("PUSHPIT_PRELOAD_BUNDLES", { _ in TrustVariables.systemBundles.joined(separator: ":") }),
        ("PUSHPIT_PRELOAD_DEFAULT_BUNDLES", { _ in TrustVariables.defaultBundles.joined(separator: ":") }),
    ]
    static let names = table.map(\.name)
    private static let preloadName = "LD_PRELOAD"

    func set(in variables: inout Variables) {
        for row in Self.table { variables[row.name] = row.value(self) }
        // Last, because the libraries of sanitizers have to be first.
        variables[Self.preloadName] = [variables.text(Self.preloadName), files.library].compactMap(\.self)
            .joined(separator: ":")
    }

    /// Whether the path can be in `LD_PRELOAD`, where these characters separate paths.
    static func canName(_ path: String) -> Bool { !path.unicodeScalars.contains { " :".unicodeScalars.contains($0) } }
}
