internal import Credentials
internal import JSON
internal import Platform
internal import PushCore

/// Writes the files of `ExecFiles`.
struct ExecWriter {
    let files: ExecFiles
    let credentials: Credentials
    /// The variables that `exec` was started with.
    let inherited: Variables
    /// Whether Java's trust store was written. It is written without a `java` in the PATH, too, because scripts find
    /// Java in other ways, such as JAVA_HOME.
    private(set) var hasTrustStore = false
    /// What could not be included.
    private(set) var warnings: [String] = []

    struct Problem: Error { let description: String }

    /// Where Google's access tokens come from. It is a push host, so it leads to the gateway on every route.
    private static let tokenURI = "https://oauth2.googleapis.com/token"

    init(files: ExecFiles, credentials: Credentials, inherited: Variables) {
        self.files = files
        self.credentials = credentials
        self.inherited = inherited
    }

    mutating func write(url: String, withHosts: Bool) throws(Problem) {
        do {
            try writeCredentials(url: url)
            if withHosts { try put(ExecFiles.hostsText(system: Self.read("/etc/hosts") ?? []), files.hosts) }
            let bundle = ExecFiles.bundle(of: authorities(), and: credentials.authority)
            try put(bundle, files.bundle)
            if inherited.text(TrustVariables.nodeName) != nil {
                let old = authorities(namedBy: TrustVariables.nodeName) ?? []
                try put(ExecFiles.bundle(of: [old], and: credentials.authority), files.nodeAuthorities)
            }
            try Files.makeDirectory(files.phpSettings)
            try put(Array(ExecFiles.phpText(bundle: files.bundle).utf8), "\(files.phpSettings)/pushpit.ini")
            guard let store = Credentials.trustStore(bundle, password: TrustVariables.storePassword) else {
                warnings.append("pushpit: a certificate of the system can't be read, so Java gets no trust store")
                return
            }
            try put(store, files.trustStore)
            hasTrustStore = true
            if TrustVariables.namesTrustStore(inherited) {
                warnings.append(
                    "pushpit: JAVA_TOOL_OPTIONS names a trust store, but Java can use only one. It gets Pushpit's, which has "
                        + "the system's authorities, but not those of the named one")
            }
        } catch { throw Problem(description: "\(error)") }
    }

    private func writeCredentials(url: String) throws {
        let path = credentials.path(credentials.portFiles.serviceAccount)
        guard let bytes = try Files.read(path), let account = try? JSONDocument(parsing: bytes).root else {
            throw Problem(description: "\(path) is not a service account; delete it to make a new one")
        }
        try put(ServiceAccountFile.text(account, tokenURI: Self.tokenURI), files.serviceAccount)
        var json = JSONWriter(.pretty)
        json.object { credentials.index.write(to: &$0, account: files.serviceAccount, url: url) }
        try put(json.finish() + [0x0A], files.index)
    }

    /// The authorities that the command would trust without Pushpit. `SSL_CERT_FILE` replaces the system's.
    private mutating func authorities() -> [[UInt8]] {
        var files: [[UInt8]] = []
        for name in TrustVariables.bundleNames {
            guard let bytes = authorities(namedBy: name), !files.contains(bytes) else { continue }
            files.append(bytes)
        }
        if inherited.text(TrustVariables.bundleNames[0]) == nil,
            let system = TrustVariables.systemBundles.lazy.compactMap({ Self.read($0) }).first, !files.contains(system)
        {
            return [system] + files
        }
        return files
    }

    /// The contents of the file that a variable names; nil without one.
    private mutating func authorities(namedBy name: String) -> [UInt8]? {
        guard let path = inherited.text(name) else { return nil }
        if let bytes = Self.read(path) { return bytes }
        warnings.append(
            "pushpit: \(name) names '\(path.onOneLine)', which is not a file that can be read, so the command does not "
                + "trust its certificates")
        return nil
    }

    private static func read(_ path: String) -> [UInt8]? { Files.readRegular(path, atMost: 16 << 20) }

    private func put(_ bytes: [UInt8], _ path: String) throws(Files.Failure) {
        try Files.write(bytes, to: path, mode: 0o600, isLasting: false)
    }
}
