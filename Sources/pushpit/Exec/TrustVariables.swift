internal import PushCore

/// The variables that make programs trust Pushpit's authority besides the others.
struct TrustVariables {
    /// These name the file with all authorities of a program.
    static let bundleNames = [
        "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "HTTPLIB2_CA_CERTS",
        "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
    ]
    static let nodeName = "NODE_EXTRA_CA_CERTS"
    /// Where Debian, Fedora (before and since version 43), SUSE and Alpine keep the bundle that programs use by default.
    static let systemBundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    /// OpenSSL's own paths, which it opens in addition to the system's directory of certificates.
    static let defaultBundles = ["/usr/lib/ssl/cert.pem", "/etc/ssl/cert.pem", "/usr/local/ssl/cert.pem"]

    let files: ExecFiles
    /// The file with Pushpit's authority alone.
    let authority: String
    /// Whether a trust store for Java was written.
    var hasTrustStore = false

    /// The names of all variables that it can set.
    static let names = bundleNames + [nodeName, phpName, javaName]
    private static let phpName = "PHP_INI_SCAN_DIR"
    static let javaName = "JAVA_TOOL_OPTIONS"
    static let storePassword = "pushpit"

    /// Sets the variables. Doing it twice is the same as once.
    func set(in variables: inout Variables) {
        for name in Self.bundleNames { variables[name] = files.bundle }
        let hasNoOther = [nil, authority].contains(variables.text(Self.nodeName))
        variables[Self.nodeName] = hasNoOther ? authority : files.nodeAuthorities
        // An empty first element means the directory that is compiled into PHP.
        let directories = (variables[Self.phpName] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        if !directories.contains(files.phpSettings[...]) {
            variables[Self.phpName] = "\(variables[Self.phpName] ?? ""):\(files.phpSettings)"
        }
        if hasTrustStore { Self.addJava(Self.javaOptions(files.trustStore), to: &variables) }
    }

    private static let trustStoreOption = "-Djavax.net.ssl.trustStore="

    private static func javaOptions(_ store: String) -> [String] {
        let path = store.contains(where: \.isWhitespace) ? "\"\(store)\"" : store
        return [
            "\(trustStoreOption)\(path)", "\(trustStoreOption.dropLast())Password=\(storePassword)",
            "\(trustStoreOption.dropLast())Type=PKCS12",
        ]
    }

    /// Whether Java's options name a trust store that is not one of Pushpit's.
    static func namesTrustStore(_ variables: Variables) -> Bool {
        let options = variables.text(javaName) ?? ""
        return options.pieces(separatedBy: trustStoreOption).count
            > options.pieces(separatedBy: ExecFiles.trustStoreName).count
    }

    /// Adds options for Java's virtual machine, unless they are there. The last one counts if an option is repeated.
    static func addJava(_ options: [String], to variables: inout Variables) {
        let (old, new) = (variables.text(javaName), options.joined(separator: " "))
        guard old?.includes(new) != true else { return }
        variables[javaName] = [old, new].compactMap(\.self).joined(separator: " ")
    }
}
