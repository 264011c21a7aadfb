package import PushCore

/// What `pushpit doctor` finds in its environment.
package struct EnvironmentFacts {
    package enum File: Equatable, Sendable {
        case missing
        case unreadable(String)
        case content([UInt8])
    }

    package struct Gateway: Equatable, Sendable {
        package enum State: Sendable { case ready, otherProgram, unreachable }

        let url: String
        let state: State

        package init(url: String, state: State) {
            self.url = url
            self.state = state
        }
    }

    package let now: Timestamp
    package let gateway: Gateway
    package var variables: [String: String] = [:]
    /// The files that variables name, by path.
    package var files: [String: File] = [:]
    /// The certificate of Pushpit's authority, from `--certs`.
    package var authority: [UInt8]?
    /// The variables that name the gateway as the proxy.
    package var ownProxies: Set<String> = []
    /// The content of /etc/hosts.
    package var hosts: String?
    /// Whether `pushpit doctor` runs inside `pushpit exec`. Then it does not see the real /etc/hosts.
    package var isInsideExec = false
    /// When the newest of a few files was changed, in seconds since 1970.
    package var newestFile: Int64?
    /// Whether `pushpit exec --via trace` works.
    package var canTrace = false

    package init(now: Timestamp, gateway: Gateway) {
        self.now = now
        self.gateway = gateway
    }

    package static let proxies = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    static let exclusions = ["NO_PROXY", "no_proxy"]
    /// Each names a file with authorities.
    static let bundles = [
        "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "HTTPLIB2_CA_CERTS",
        "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "NODE_EXTRA_CA_CERTS",
    ]
    static let account = "GOOGLE_APPLICATION_CREDENTIALS"

    package static let variableNames = proxies + exclusions + fileVariables
    package static let fileVariables = bundles + [account]
}
