internal import EventLoop
internal import PushCore

/// The URL of a gateway that runs, as `--url` gives it.
struct GatewayURL {
    /// Without a slash at the end.
    let text: String
    /// The host may be a name that has not been looked up.
    let unresolved: SocketAddress
    private let hostAndPort: String

    init(_ url: String) throws(SocketAddress.LookupFailure) {
        guard let scheme = ["http://", "https://"].first(where: url.hasPrefix) else {
            throw SocketAddress.LookupFailure(reason: "does not begin with http:// or https://")
        }
        text = url.hasSuffix("/") ? String(url.dropLast()) : url
        let rest = text.dropFirst(scheme.count)
        if rest.contains(where: { "/?#".contains($0) }) {
            throw SocketAddress.LookupFailure(reason: "has a path after the port")
        }
        if rest.contains("@") { throw SocketAddress.LookupFailure(reason: "has a user name") }
        hostAndPort = String(rest)
        unresolved = try SocketAddress(unresolved: hostAndPort)
    }

    /// The URL in the option `--url`; nil if it is not set.
    init?(_ options: Options) throws(ExitFailure) {
        guard let url = try options.text("url") else { return nil }
        do throws(SocketAddress.LookupFailure) { self = try GatewayURL(url) } catch {
            throw Self.problem(options, url, error)
        }
    }

    /// Looks the host up if it is a name.
    func address() throws(SocketAddress.LookupFailure) -> SocketAddress { try SocketAddress(lookingUp: hostAndPort) }

    func address(_ options: Options) throws(ExitFailure) -> SocketAddress {
        do throws(SocketAddress.LookupFailure) { return try address() } catch {
            throw Self.problem(options, text, error)
        }
    }

    private static func problem(
        _ options: Options, _ url: String, _ failure: SocketAddress.LookupFailure
    ) -> ExitFailure {
        if failure.isOfHost { return .unavailable("\(options.label("url")) '\(url.onOneLine)' \(failure.reason)") }
        return options.invalid("url", url, "\(failure.reason): write it like http://localhost:2197")
    }
}
