internal import Glibc
internal import Synchronization
internal import TLS

/// Two searches for an RSA key on threads of their own, of which the first to end is taken.
///
/// Finding its primes takes 0.1 to 1 s, by luck; the better of two keeps a first start well within a second.
final class RSAKeySearch: Sendable {
    private struct State {
        var pem: [UInt8]?
        var running = 2
    }

    private let state = Mutex(State())

    /// Nil where no key could be made.
    static func run() -> [UInt8]? {
        let search = RSAKeySearch()
        for _ in 0..<2 {
            var thread = pthread_t()
            let argument = unsafe Unmanaged.passRetained(search).toOpaque()
            let code = unsafe pthread_create(
                &thread, nil,
                { argument in
                    unsafe Unmanaged<RSAKeySearch>.fromOpaque(argument!).takeRetainedValue().find()
                    return nil
                }, argument)
            precondition(code == 0, "no thread: \(code)")
            pthread_detach(thread)
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
