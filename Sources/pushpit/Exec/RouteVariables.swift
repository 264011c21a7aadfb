internal import EventLoop
internal import PushCore

/// The variables that make the gateway the HTTPS proxy of programs, or that keep another proxy away from the hosts of the
/// push services.
struct RouteVariables {
    /// Whether HTTPS_PROXY names the gateway.
    let usesProxy: Bool
    let gateway: SocketAddress
    let apiToken: String?
    /// Whether Java gets Pushpit's trust store, which it needs for the proxy.
    var hasJava = false

    /// The names of all variables that it can set, besides Java's options.
    static let names = httpsNames + ProxyExclusions.names + [nodeName]
    private static let nodeName = "NODE_USE_ENV_PROXY"
    private static let httpsNames = ["HTTPS_PROXY", "https_proxy"]
    /// The variables that name the proxy for HTTPS.
    static let httpsProxyNames = httpsNames + ["ALL_PROXY", "all_proxy"]
    private static let proxyNames = httpsProxyNames + ["HTTP_PROXY", "http_proxy"]

    func set(in variables: inout Variables) {
        guard usesProxy else {
            keepJavaFromProxy(in: &variables)
            return Self.keepFromProxy(&variables)
        }
        for name in Self.httpsNames { variables[name] = proxy }
        Self.exclude(ProxyExclusions.removingPushHosts, in: &variables)
        variables[Self.nodeName] = "1"
        guard hasJava else { return }
        TrustVariables.addJava(
            ["-Dhttps.proxyHost=\(gateway.name ?? gateway.host)", "-Dhttps.proxyPort=\(gateway.port)"],
            to: &variables)
    }

    /// If the variables name a proxy, the push hosts are reached without it.
    static func keepFromProxy(_ variables: inout Variables) {
        guard proxyNames.contains(where: { variables.text($0) != nil }) else { return }
        exclude(ProxyExclusions.addingPushHosts, in: &variables)
    }

    /// Java does not read NO_PROXY. If its options name a proxy, the hosts that it reaches without the proxy are an option too.
    private func keepJavaFromProxy(in variables: inout Variables) {
        guard let options = variables.text(TrustVariables.javaName), options.includes("proxyHost=") else { return }
        let option = "-Dhttp.nonProxyHosts="
        let old = options.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix(option) }?.dropFirst(option.count)
        let hosts = [old.map(String.init) ?? "localhost|127.*|[::1]"] + Vendor.hosts
        TrustVariables.addJava([option + hosts.joined(separator: "|")], to: &variables)
    }

    /// Each of the two spellings of `NO_PROXY` starts with the other one's value if it has none.
    private static func exclude(_ change: (String?) -> String, in variables: inout Variables) {
        let old = ProxyExclusions.names.map { variables[$0] }
        for (name, value) in zip(ProxyExclusions.names, old) {
            variables[name] = change(value ?? old.compactMap(\.self).first)
        }
    }

    private var proxy: String {
        "http://\(apiToken.map { "pushpit:\(Self.encoded($0))@" } ?? "")\(gateway)"
    }

    /// Percent-encodes everything except letters, digits and `-._~`.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 && byte < 0x80 || "-._~".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
