internal import Credentials
internal import EventLoop
internal import JSON
internal import Platform
internal import PushCore
internal import PushpitClient

/// The directory of a running gateway's credentials, as the gateway reports it.
enum GatewayDirectory: Equatable {
    case named(String)
    /// The gateway says so only to a client with its token.
    case needsToken
    /// No gateway answers.
    case unknown

    /// How many milliseconds the gateway may take to answer.
    private static let timeout: UInt64 = 2000
    private static let maxBytes = 1 << 20

    static func ask(_ address: SocketAddress, apiToken: String?) -> GatewayDirectory {
        let client = ControlClient(address, apiToken: apiToken, timeout: timeout)
        guard let answer = try? client.get("/credentials") else { return .unknown }
        let root = (try? JSONDocument(parsing: answer.body))?.root
        if answer.status == 200, let directory = root?["directory"]?.string { return .named(directory) }
        let isControlAPI = root?["error"]?["code"]?.string != nil && root?["error"]?["message"]?.string != nil
        return answer.status == 401 && isControlAPI ? .needsToken : .unknown
    }

    /// The error about credentials that can't be used. If files are missing, it says which directory would be right.
    static func failure(
        _ problem: Credentials.Problem, _ url: GatewayURL?, apiToken: String?
    ) -> ExitFailure {
        guard problem.isIncomplete, let url else { return .badConfiguration(problem.description) }
        let directory = (try? url.address()).map { ask($0, apiToken: apiToken) } ?? .unknown
        return .badConfiguration(
            "\(problem): \(directory.remedy(url.text))")
    }

    /// Why a gateway can't listen on an address, and what to do.
    ///
    /// - Parameter address: where something else listens.
    func sentence(aboutListeningOn address: String) -> String {
        let program =
            switch self {
            case .named(let directory): "another Pushpit, whose credentials are in \(directory.onOneLine): use that one"
            case .needsToken: "another Pushpit, which requires its --api-token: use that one"
            case .unknown: "another program: stop it"
            }
        return
            "\(address) is in use by \(program), or give '--listen 127.0.0.1:0' to take a free port. send, device and "
            + "expect find the new gateway if PUSHPIT_URL is set to the URL that it prints"
    }

    /// The authority in such a directory; nil if this program cannot read it.
    static func authority(in directory: String) -> [UInt8]? {
        Files.readRegular("\(directory)/ca.pem", atMost: maxBytes)
    }

    /// What to do about credentials that are missing or those of another gateway.
    func remedy(_ url: String) -> String {
        remedy(url) { Files.readRegular($0, atMost: Self.maxBytes) != nil }
    }

    /// - Parameter isHere: whether a file exists on this machine.
    func remedy(_ url: String, isHere: (String) -> Bool) -> String {
        switch self {
        case .named(let directory) where isHere("\(directory)/ca.pem"):
            "the gateway at \(url) uses \(directory.onOneLine), so give '--certs \(directory.onOneLine)', or set "
                + "PUSHPIT_CERTS to it"
        case .named(let directory):
            "the gateway at \(url) has them in \(directory.onOneLine) on its own machine; copy that directory without "
                + "ca-key.pem, server-key.pem and api-token, and name the copy with --certs"
        case .needsToken:
            "name the directory of the gateway at \(url) with --certs; give --api-token too, and this command can tell "
                + "you the directory"
        case .unknown:
            "no gateway answers at \(url); start one with 'pushpit', or name the directory of yours with --certs"
        }
    }
}
