import EventLoop
import PushCore
import Testing

@testable import pushpit

/// The environment of a command under `exec`.
@Suite struct ExecVariablesTests {
    private let files = ExecFiles(directory: "/tmp/run")

    private func trust(_ texts: [String], hasTrustStore: Bool = false) -> Variables {
        var variables = Variables(texts)
        TrustVariables(files: files, authority: "/certs/ca.pem", hasTrustStore: hasTrustStore).set(in: &variables)
        return variables
    }

    private func route(_ route: ExecRoute, _ texts: [String], token: String? = nil, hasJava: Bool = false) -> Variables
    {
        var variables = Variables(texts)
        RouteVariables(
            usesProxy: route == .proxy, gateway: SocketAddress(host: "127.0.0.1", port: 2197), apiToken: token,
            hasJava: hasJava
        ).set(in: &variables)
        return variables
    }

    @Test func `variables keep their bytes and their order`() {
        var variables = Variables([Array("A=1".utf8), [0x42, 0x3D, 0xFF], Array("C=x=y".utf8), Array("A=2".utf8)])
        #expect(variables["A"] == "1")
        #expect(variables["C"] == "x=y")
        variables["C"] = nil
        #expect(variables["C"] == nil)
        variables["A"] = "3"
        #expect(variables.entries == [[0x42, 0x3D, 0xFF], Array("A=3".utf8)])
        variables["D"] = ""
        #expect(variables["D"] == "")
        #expect(variables.text("D") == nil)
    }

    @Test func `every name of a bundle leads to the same file`() {
        let variables = trust(["SSL_CERT_FILE=/old", "SSL_CERT_DIR=/dir"])
        for name in TrustVariables.bundleNames { #expect(variables[name] == "/tmp/run/ca-bundle.pem") }
        #expect(variables["SSL_CERT_DIR"] == "/dir")
        #expect(variables["NODE_EXTRA_CA_CERTS"] == "/certs/ca.pem")
        #expect(variables["JAVA_TOOL_OPTIONS"] == nil)
    }

    @Test func `what a variable of Node or PHP named before still counts`() {
        let variables = trust(["NODE_EXTRA_CA_CERTS=/mine.pem", "PHP_INI_SCAN_DIR=/a:/b"])
        #expect(variables["NODE_EXTRA_CA_CERTS"] == "/tmp/run/node-ca.pem")
        #expect(variables["PHP_INI_SCAN_DIR"] == "/a:/b:/tmp/run/php")
        #expect(trust([])["PHP_INI_SCAN_DIR"] == ":/tmp/run/php")
    }

    @Test func `Java's options are added to the ones that are there`() {
        let variables = trust(["JAVA_TOOL_OPTIONS=-Xmx1g"], hasTrustStore: true)
        #expect(
            variables["JAVA_TOOL_OPTIONS"]
                == "-Xmx1g -Djavax.net.ssl.trustStore=/tmp/run/pushpit-truststore.p12 "
                + "-Djavax.net.ssl.trustStorePassword=pushpit -Djavax.net.ssl.trustStoreType=PKCS12")
    }

    @Test func `setting the variables twice is the same as once`() {
        let once = trust(["NODE_EXTRA_CA_CERTS=/mine.pem", "PHP_INI_SCAN_DIR=/a"], hasTrustStore: true)
        var twice = once
        TrustVariables(files: files, authority: "/certs/ca.pem", hasTrustStore: true).set(in: &twice)
        for name in TrustVariables.names { #expect(twice[name] == once[name]) }
        #expect(trust(["NODE_EXTRA_CA_CERTS=/certs/ca.pem"])["NODE_EXTRA_CA_CERTS"] == "/certs/ca.pem")
    }

    @Test(arguments: [
        ("", false), ("-Xmx1g", false), ("-Djavax.net.ssl.trustStore=/other.p12", true),
        ("-Xmx1g -Djavax.net.ssl.trustStore=/tmp/run/pushpit-truststore.p12", false),
        ("-Djavax.net.ssl.trustStorePassword=x", false),
        (#"-Djavax.net.ssl.trustStore="/a b/pushpit-truststore.p12""#, false),
    ]) func `another trust store for Java is found`(options: String, isFound: Bool) {
        let variables = Variables(["JAVA_TOOL_OPTIONS=\(options)"])
        #expect(TrustVariables.namesTrustStore(variables) == isFound)
    }

    @Test func `a path with a space is quoted for Java`() {
        var variables = Variables([String]())
        TrustVariables(files: ExecFiles(directory: "/a b"), authority: "/ca.pem", hasTrustStore: true).set(
            in: &variables)
        #expect(variables["JAVA_TOOL_OPTIONS"]?.contains(#"trustStore="/a b/pushpit-truststore.p12" -D"#) == true)
    }

    @Test func `a supervisor needs no proxy, and leaves one for other hosts`() throws {
        #expect(route(.trace, ["A=1", "NO_PROXY=x"]).entries == Variables(["A=1", "NO_PROXY=x"]).entries)
        let variables = route(.trace, ["https_proxy=http://proxy:1", "no_proxy=x.example"])
        #expect(variables["https_proxy"] == "http://proxy:1")
        #expect(variables["HTTPS_PROXY"] == nil)
        for name in ["NO_PROXY", "no_proxy"] {
            let hosts = try #require(variables[name]).split(separator: ",").map(String.init)
            #expect(hosts.first == "x.example")
            #expect(Set(Vendor.hosts + ["127.0.0.1"]).isSubset(of: hosts))
        }
    }

    @Test func `as proxy the gateway replaces another one`() {
        let variables = route(.proxy, ["HTTPS_PROXY=http://proxy:1", "NO_PROXY=*.googleapis.com, x.example"])
        #expect(variables["HTTPS_PROXY"] == "http://127.0.0.1:2197")
        #expect(variables["https_proxy"] == "http://127.0.0.1:2197")
        #expect(variables["NO_PROXY"] == "x.example,localhost,127.0.0.1,::1")
        #expect(variables["no_proxy"] == variables["NO_PROXY"])
        #expect(variables["NODE_USE_ENV_PROXY"] == "1")
        #expect(variables["JAVA_TOOL_OPTIONS"] == nil)
    }

    @Test func `Java gets the proxy as options`() {
        let variables = route(.proxy, [], hasJava: true)
        #expect(variables["JAVA_TOOL_OPTIONS"] == "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=2197")
    }

    @Test(arguments: [
        ("-Xmx1g", "-Xmx1g"),
        ("-Dhttps.proxyHost=p", "-Dhttps.proxyHost=p -Dhttp.nonProxyHosts=localhost|127.*|[::1]|"),
        (
            "-Dhttp.nonProxyHosts=*.corp -DproxyHost=p",
            "-Dhttp.nonProxyHosts=*.corp -DproxyHost=p -Dhttp.nonProxyHosts=*.corp|"
        ),
    ]) func `a proxy in Java's options is kept from the push hosts`(options: String, start: String) {
        let hosts = start.hasSuffix("|") ? Vendor.hosts.joined(separator: "|") : ""
        #expect(route(.trace, ["JAVA_TOOL_OPTIONS=\(options)"])["JAVA_TOOL_OPTIONS"] == start + hosts)
    }

    @Test func `a library is preloaded after the ones that are there`() {
        var variables = Variables(["LD_PRELOAD=/a.so /b.so"])
        let preload = PreloadVariables(files: files, authority: "/certs/ca.pem", port: 5)
        preload.set(in: &variables)
        #expect(variables["LD_PRELOAD"] == "/a.so /b.so:/tmp/run/libpushpit-preload.so")
        #expect(variables["PUSHPIT_PRELOAD_PORT"] == "5")
        #expect(variables["PUSHPIT_PRELOAD_AUTHORITY"] == "/certs/ca.pem")
        #expect(variables["PUSHPIT_PRELOAD_HOSTS"]?.hasPrefix("api.push.apple.com,") == true)
        #expect(variables["PUSHPIT_PRELOAD_BUNDLES"]?.contains(":/etc/ssl/cert.pem") == true)
        var fresh = Variables([String]())
        preload.set(in: &fresh)
        #expect(fresh["LD_PRELOAD"] == "/tmp/run/libpushpit-preload.so")
        #expect(PreloadVariables.canName("/a/b"))
        #expect(!PreloadVariables.canName("/a b") && !PreloadVariables.canName("/a:b"))
        #expect(UnknownVariables.find(in: PreloadVariables.names, for: .serve).isEmpty)
    }

    @Test func `a gateway may have a name that only the program can look up`() throws {
        let gateway = try GatewayURL("http://host.docker.internal:2197/")
        #expect(gateway.text == "http://host.docker.internal:2197")
        var variables = Variables([String]())
        RouteVariables(usesProxy: true, gateway: gateway.unresolved, apiToken: nil, hasJava: true).set(in: &variables)
        #expect(variables["HTTPS_PROXY"] == "http://host.docker.internal:2197")
        #expect(
            variables["JAVA_TOOL_OPTIONS"] == "-Dhttps.proxyHost=host.docker.internal -Dhttps.proxyPort=2197")
    }

    @Test func `the API token is the proxy's password, with escapes`() {
        #expect(
            route(.proxy, [], token: "a/b:c@é~")["HTTPS_PROXY"] == "http://pushpit:a%2Fb%3Ac%40%C3%A9~@127.0.0.1:2197")
    }

    @Test(
        arguments: [
            (nil, "localhost,127.0.0.1,::1"), ("", "localhost,127.0.0.1,::1"), ("*", "localhost,127.0.0.1,::1"),
            ("localhost x", "localhost,x,127.0.0.1,::1"),
            (".push.apple.com,api.push.apple.com:443,a", "a,localhost,127.0.0.1,::1"),
            ("COM,10.0.0.0/8", "10.0.0.0/8,localhost,127.0.0.1,::1"), ("le.com", "le.com,localhost,127.0.0.1,::1"),
        ] as [(String?, String)]) func `entries that would keep push hosts from the proxy are removed`(
            list: String?, expected: String
        )
    {
        #expect(ProxyExclusions.removingPushHosts(from: list) == expected)
    }

    @Test func `a list that excludes everything stays as it is`() {
        #expect(ProxyExclusions.addingPushHosts(to: "*") == "*")
    }
}
