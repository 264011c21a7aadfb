/// What makes programs trust Pushpit's authority beside the others.
struct TrustVariables {
    /// These name the file with all authorities of a program.
    static let bundleNames = [
        "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "HTTPLIB2_CA_CERTS",
        "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
    ]
    static let nodeName = "NODE_EXTRA_CA_CERTS"
    /// Where systems keep the bundle that programs use by default.
    static let systemBundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]
    /// OpenSSL's own paths, which it opens in addition to the system's directory of certificates.
    static let defaultBundles = ["/usr/lib/ssl/cert.pem", "/etc/ssl/cert.pem", "/usr/local/ssl/cert.pem"]

    let files: ExecFiles
    /// The file with Pushpit's authority alone.
    let authority: String
    /// Whether a trust store for Java was written.
    var hasTrustStore = false

    func set(in variables: inout Variables) {
        for name in Self.bundleNames { variables[name] = files.bundle }
        variables[Self.nodeName] = variables.text(Self.nodeName) == nil ? authority : files.nodeAuthorities
        // An empty first element means the directory that is compiled into PHP.
        variables[Self.phpName] = "\(variables[Self.phpName] ?? ""):\(files.phpSettings)"
        if hasTrustStore { Self.addJava(Self.javaOptions(files.trustStore), to: &variables) }
    }

    private static let phpName = "PHP_INI_SCAN_DIR"
    private static let javaName = "JAVA_TOOL_OPTIONS"
    static let storePassword = "pushpit"

    private static func javaOptions(_ store: String) -> [String] {
        let path = store.contains(where: \.isWhitespace) ? "\"\(store)\"" : store
        return [
            "-Djavax.net.ssl.trustStore=\(path)", "-Djavax.net.ssl.trustStorePassword=\(storePassword)",
            "-Djavax.net.ssl.trustStoreType=PKCS12",
        ]
    }

    /// Adds options for Java's virtual machine. The last one counts if an option is repeated.
    static func addJava(_ options: [String], to variables: inout Variables) {
        variables[javaName] = ([variables.text(javaName)].compactMap(\.self) + options).joined(separator: " ")
    }
}
