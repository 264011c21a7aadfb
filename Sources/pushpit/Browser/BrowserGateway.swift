internal import Browsers
internal import Credentials
internal import EventLoop
internal import Gateway
internal import HTTPCore
internal import JSON
internal import Platform
internal import PushCore
internal import PushpitClient
internal import Routing
internal import TLS

/// The gateway of `browser`: one that runs, or one that it starts.
struct BrowserGateway {
    let url: String
    /// Nil for one that runs already.
    private let thread: GatewayThread?
    /// The directory of its credentials; nil if it is not known and not needed.
    let certificates: String?
    /// What the browser needs to know of it.
    let setup: BrowserSetup.Gateway

    /// Where a gateway usually runs.
    static let usualURL = "http://127.0.0.1:2197"
    /// How many milliseconds a gateway may take to say that it is ready.
    private static let timeout: UInt64 = 2000

    /// The gateway that the options name, or the one at the usual address; nil if neither is there.
    static func running(_ options: Options) throws(ExitFailure) -> GatewayURL? {
        if let url = try GatewayURL(options) {
            guard Probe.state(try url.address(options), timeout: timeout) != .noGateway else {
                throw .unavailable(
                    "no gateway answers at \(url.text): start it with 'pushpit', or leave out \(options.label("url")) to "
                        + "start one for the browser")
            }
            return url
        }
        guard let url = try? GatewayURL(usualURL), let address = try? url.address(),
            Probe.isReady(address, timeout: timeout)
        else { return nil }
        return url
    }

    /// Uses a gateway that runs.
    init(_ url: GatewayURL, for browser: Browser, _ options: Options) throws(ExitFailure) {
        let address = try url.address(options)
        let isSecure = url.text.hasPrefix("https://")
        (self.url, thread) = (url.text, nil)
        if browser == .firefox, !isSecure {
            certificates = nil
            setup = BrowserSetup.Gateway(address: address.numeric, trust: .none)
            return
        }
        let directory = try Self.directory(of: url, address, options)
        certificates = directory
        setup = BrowserSetup.Gateway(
            address: browser == .firefox ? "\(address)" : address.numeric, trust: try Self.trust(browser, directory))
    }

    /// Starts a gateway on a free port.
    ///
    /// - Parameter directory: where its credentials are made, unless `--certs` names a directory.
    init(for browser: Browser, _ page: PageAddress?, credentialsIn directory: String, _ options: Options)
        throws(ExitFailure)
    {
        // Its other settings are those of `exec`, which variables can change.
        let others = try Options([], for: .exec)
        var settings = try Serve.configuration(others, usesProxy: false)
        settings.apiToken = try options.apiToken()
        settings.listeners = [ListenerSpec(role: .any, address: SocketAddress(host: "127.0.0.1", port: 0))]
        settings.credentials.writesPortIntoServiceAccount = false
        let certificates = try options.text("certs").map(Files.absolute) ?? directory
        settings.certificates = certificates
        if let page { settings.allowedOrigins.append(page.origin) }
        let thread = try GatewayThread(settings, setUpBy: try SeedFile(others))
        (self.thread, self.certificates) = (thread, certificates)
        url = "http://\(thread.address)"
        setup = BrowserSetup.Gateway(
            address: "\(thread.address)", trust: browser == .firefox ? .none : try Self.trust(browser, certificates))
    }

    /// What a gateway that runs does with the requests of a page, such as those of Firebase's SDK.
    enum Admission {
        /// They were let in before.
        case usual
        /// They are let in until `revokeAdmission` is called.
        case forNow
        case refused
    }

    /// Makes the gateway accept requests from this page.
    func admit(_ page: PageAddress, _ options: Options) throws(ExitFailure) -> Admission {
        guard !isOwn else { return .usual }
        var body = JSONWriter()
        body.object { $0.member("origin", page.origin.description) }
        switch (try? client(options)?.post("/origins", body.finish()))?.status {
        case 200: return .usual
        case 201: return .forNow
        default: return .refused
        }
    }

    /// Makes the gateway refuse requests from this page again.
    func revokeAdmission(_ page: PageAddress, _ options: Options) throws(ExitFailure) {
        _ = try? client(options)?.delete("/origins?origin=\(page.origin)")
    }

    private func client(_ options: Options) throws(ExitFailure) -> ControlClient? {
        guard let url = try? GatewayURL(url), let address = try? url.address(options) else { return nil }
        return ControlClient(address, apiToken: try options.apiToken(), timeout: Self.timeout)
    }

    var isOwn: Bool { thread != nil }

    func stop() { thread?.stop() }

    /// The directory of a running gateway's credentials: the one in `--certs`, or the one that the gateway names.
    private static func directory(
        of url: GatewayURL, _ address: SocketAddress, _ options: Options
    ) throws(ExitFailure) -> String {
        let apiToken = try options.apiToken()
        if let given = try options.text("certs").map(Files.absolute) {
            try RunningGateway.check(
                try RunningGateway.credentials(in: given, of: url, apiToken: apiToken), of: url, apiToken: apiToken)
            return given
        }
        let directory = GatewayDirectory.ask(address, apiToken: apiToken)
        if case .named(let path) = directory, GatewayDirectory.authority(in: path) != nil { return path }
        throw .badConfiguration("the browser has to trust the gateway's certificate: \(directory.remedy(url.text))")
    }

    /// Chromium trusts the authority, and Firefox the server's certificate as it is now.
    private static func trust(_ browser: Browser, _ directory: String) throws(ExitFailure) -> BrowserSetup.Trust {
        do throws(Credentials.Problem) {
            let name = browser == .chromium ? "ca.pem" : "server.pem"
            let pem = try Credentials.required(name, in: directory)
            return try Credentials.reading("\(directory)/\(name)") { () throws(CryptoError) in
                let certificate = try Certificate(pem: pem)
                return browser == .chromium
                    ? .authority(keyHash: try certificate.publicKey.fingerprint)
                    : .server(fingerprint: try certificate.fingerprint)
            }
        } catch { throw .badConfiguration("\(error)") }
    }
}
