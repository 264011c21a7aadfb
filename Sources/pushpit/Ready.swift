internal import EventLoop
internal import Gateway
internal import Glibc

/// `pushpit ready`: asks `/readyz` until it says yes or the time is up.
enum Ready {
    static func run(_ options: Options) throws(ExitFailure) {
        let wait = try options.duration("wait")
        let url = try options.text("url") ?? ""
        guard let address = address(url) else {
            throw options.bad("url", url, "must be http://HOST:PORT or https://HOST:PORT")
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

    /// Every listener speaks clear text too, so `https` is asked the same way.
    static func address(_ url: String) -> SocketAddress? {
        guard let scheme = ["http://", "https://"].first(where: url.hasPrefix) else { return nil }
        let rest = url.dropFirst(scheme.count)
        return SocketAddress(parsing: String(rest.hasSuffix("/") ? rest.dropLast() : rest))
    }
}
