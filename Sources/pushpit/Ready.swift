internal import EventLoop
internal import Gateway
internal import Glibc
internal import PushCore
internal import PushpitClient

/// `pushpit ready`: requests `/readyz` until the gateway is ready or the time is up.
enum Ready {
    static func run(_ options: Options) throws(ExitFailure) {
        let wait = try options.duration("wait")
        guard let url = try GatewayURL(options) else {
            throw .usage("--url is needed: write it like http://localhost:2197", nil)
        }
        let end = end(of: wait, from: EventLoop.nanoseconds)
        var left = wait
        var problem: String
        repeat {
            switch state(of: url, timeout: max(left, 1)) {
            case .success(.ready): return
            case .success(.notReady(let reason)):
                problem = "the gateway at \(url.text) is not ready: \(reason.onOneLine)"
            case .success(.noGateway):
                problem =
                    "no gateway answered at \(url.text) within \(try options.text("wait") ?? ""); start one with "
                    + "'pushpit'"
            case .failure(let failure): problem = "'\(url.text)' \(failure.reason)"
            }
            usleep(20_000)
            let now = EventLoop.nanoseconds
            left = now < end ? (end - now) / 1_000_000 : 0
        } while left > 0
        throw .unavailable(problem)
    }

    /// The host is looked up each time, because its name may become known only while a container starts. The scheme does not matter here: every listener accepts clear
    /// text too.
    private static func state(
        of url: GatewayURL, timeout: UInt64
    ) -> Result<Probe.State, SocketAddress.LookupFailure> {
        do throws(SocketAddress.LookupFailure) {
            return .success(Probe.state(try url.address(), timeout: timeout))
        } catch { return .failure(error) }
    }

    /// When the time is up, in nanoseconds. More than 30 years are as good as forever.
    static func end(of wait: UInt64, from now: UInt64) -> UInt64 { now + min(wait, 1 << 40) * 1_000_000 }

    /// How a command ends if its connection to the gateway fails.
    static func failure(_ failure: BlockingClient.Failure, _ options: Options) -> ExitFailure {
        .unavailable(failure.description + (failure.isUnreachable ? remedy(options) : ""))
    }

    /// What to do if no gateway listens at the address, as the end of a sentence.
    static func remedy(_ options: Options) -> String {
        let label = options.label("url")
        let isDefault = label.hasPrefix("-") && !options.isGiven("url")
        return isDefault
            ? "; start a gateway with 'pushpit', or set PUSHPIT_URL to the URL that yours has printed"
            : ", which \(label) names; start a gateway there with 'pushpit', or correct \(label)"
    }

    /// The gateway that `--url` names, with its address; a host name is looked up. The scheme does not matter here:
    /// every listener accepts clear text too.
    static func gateway(_ options: Options) throws(ExitFailure) -> (url: String, address: SocketAddress) {
        guard let url = try GatewayURL(options) else {
            throw .usage("--url is needed: write it like http://localhost:2197", nil)
        }
        let address = try url.address(options)
        if url.text.hasPrefix("https:"), !address.isLoopback, try options.apiToken() != nil {
            printError(
                "pushpit: warning: the connection to \(address) is not encrypted, so anyone on the network path can read the API token"
            )
        }
        return (try options.text("url") ?? url.text, address)
    }
}
