internal import EventLoop
internal import Gateway
internal import Glibc

/// `pushpit ready`: asks `/readyz` until it says yes or the time is up.
enum Ready {
    static func run(_ options: Options) throws(ExitFailure) {
        let wait = try options.duration("wait")
        let url = options["url"]
        guard url.hasPrefix("http://"), let address = SocketAddress(parsing: String(url.dropFirst(7))) else {
            throw .usage("--url '\(url)' must be http://HOST:PORT")
        }
        let end = EventLoop.nanoseconds + wait * 1_000_000
        repeat {
            if Probe.isReady(address) { return }
            usleep(20_000)
        } while EventLoop.nanoseconds < end
        throw .unavailable("no gateway answered at \(url) within \(options["wait"]); start one with 'pushpit'")
    }
}
