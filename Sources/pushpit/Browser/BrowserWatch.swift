internal import Browsers
internal import Threads
internal import Tracing

/// Reads what the browser prints. It shows the address of the remote control as soon as that is known.
final class BrowserWatch: OutputReceiver {
    /// How many milliseconds a browser may take to start, also on a slow machine.
    let patience: UInt64 = 60_000
    private let output: Lock<BrowserOutput>
    private let started: @Sendable (RemoteAddress) -> Void
    private let isLate = Lock(false)

    init(_ browser: Browser, started: @escaping @Sendable (RemoteAddress) -> Void) {
        output = Lock(BrowserOutput(of: browser))
        self.started = started
    }

    func receive(_ piece: [UInt8]) -> Bool {
        let (old, new) = output.withLock { output in
            let old = output.address
            output.receive(piece)
            return (old, output.address)
        }
        if old == nil, let new { started(new) }
        return new != nil
    }

    func timeIsUp() {
        isLate.withLock { $0 = true }
        ForwardedSignals.endCommand()
    }

    /// The last lines that the browser printed.
    var lines: [String] { output.withLock { $0.lines } }
    var hasStarted: Bool { output.withLock { $0.address != nil } }
    /// Whether the browser was ended because it did not say where its remote control is.
    var wasTooSlow: Bool { isLate.withLock { $0 } }
}
