internal import Glibc
internal import Threads
internal import TLS

/// Generates an RSA key on two threads at once and takes whichever finishes first.
///
/// Finding the primes takes 0.1 to 1 s, depending on luck. The faster of two attempts keeps the first start of the
/// program well within a second.
final class RSAKeySearch: Sendable {
    private struct State {
        var pem: [UInt8]?
        var running = 2
    }

    private let state = Lock(State())

    /// Nil if OpenSSL cannot make a key.
    static func run() -> [UInt8]? {
        let search = RSAKeySearch()
        for _ in 0..<2 {
            // If no thread can be started, the current thread searches.
            if !NewThread.detach({ search.find() }) { search.find() }
        }
        while true {
            let (pem, running) = search.state.withLock { ($0.pem, $0.running) }
            if pem != nil || running == 0 { return pem }
            usleep(1000)
        }
    }

    private func find() {
        let found = try? PrivateKey.generateRSA2048().pem
        state.withLock { state in
            state.running -= 1
            if state.pem == nil { state.pem = found }
        }
    }
}
