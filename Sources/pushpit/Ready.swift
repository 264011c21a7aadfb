internal import EventLoop
internal import Gateway
internal import Glibc

/// `pushpit ready`: requests `/readyz` until the gateway is ready or the time is up.
enum Ready {
    static func run(_ options: Options) throws(ExitFailure) {
        let wait = try options.duration("wait")
        let url = try options.text("url") ?? ""
        guard let address = address(url) else {
            throw options.invalid(
                "url", url, "must be http://HOST:PORT or https://HOST:PORT, with a host that can be looked up")
        }
        let end = EventLoop.nanoseconds + wait * 1_000_000
        var left = wait
        repeat {
            if Probe.isReady(address, timeout: max(left, 1)) { return }
            usleep(20_000)
            let now = EventLoop.nanoseconds
            left = now < end ? (end - now) / 1_000_000 : 0
        } while left > 0
        throw .unavailable(
            "no gateway answered at \(url) within \(try options.text("wait") ?? ""); start one with 'pushpit'")
    }

    /// The address in a URL; a host name is looked up. The scheme is not part of the result, because
    /// every listener accepts both TLS and clear text.
    static func address(_ url: String) -> SocketAddress? {
        guard let scheme = ["http://", "https://"].first(where: url.hasPrefix) else { return nil }
        let rest = url.dropFirst(scheme.count)
        return try? SocketAddress(lookingUp: String(rest.hasSuffix("/") ? rest.dropLast() : rest))
    }
}
