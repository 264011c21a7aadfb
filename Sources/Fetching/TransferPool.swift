internal import CCurl
internal import EventLoop

/// The running transfers of libcurl. Their sockets and timers are on the event loop. libcurl must be loaded.
@safe final class TransferPool {
    typealias Outcome = Result<HTTPAnswer, HTTPFailure>

    struct Transfer {
        let request: HTTPRequest
        /// The address to connect to, whatever the host in the URL is.
        let address: SocketAddress
        /// The path of a PEM file with an authority to trust besides the system's.
        let authorityFile: String
    }

    /// A transfer that has not ended.
    private struct Pending {
        let policy: AddressPolicy
        let done: (Outcome) -> Void
        /// What has arrived of a body that is kept.
        var body: [UInt8] = []
    }

    private unowned let loop: EventLoop
    private var raw: OpaquePointer?
    /// libcurl's own timer.
    private var timer: LoopTimer?
    /// Continues transfers that have received their share of a turn.
    private var nextTurn: LoopTimer?
    private var watches: [Int32: SocketWatch] = [:]
    private var pending: [UInt64: Pending] = [:]
    private var refusals: [UInt64: AddressPolicy.Refusal] = [:]
    private var lastNumber: UInt64 = 0
    /// The last turn in which a socket was served, and the nanoseconds that this took.
    private var turn: UInt64 = 0
    private var spent: UInt64 = 0

    /// Nanoseconds for all sockets in one turn. Once they are used up, a socket that is ready waits for the next turn.
    private static let share: UInt64 = 1_000_000

    /// Nil if there is no memory.
    init?(on loop: EventLoop) {
        self.loop = loop
        unsafe raw = ccurl_pool_create(
            ccurl_hooks(
                context: Unmanaged.passUnretained(self).toOpaque(),
                watch: { unsafe TransferPool.pool($0)?.watch($1, for: $2) },
                set_timer: { unsafe TransferPool.pool($0)?.setTimer($1) },
                may_connect: { unsafe TransferPool.pool($0)?.mayConnect($1, $2) ?? false },
                keep: { unsafe TransferPool.pool($0)?.keep($1, UnsafeBufferPointer(start: $2, count: $3), of: $4) }))
        timer = try? LoopTimer(on: loop) { [unowned self] in act(Int32(CCURL_TIMER), 0) }
        nextTurn = try? LoopTimer(on: loop) { [unowned self] in act(Int32(CCURL_TIMER), 0) }
        guard unsafe raw != nil, timer != nil, nextTurn != nil else {
            close()
            return nil
        }
    }

    /// Ends all transfers without a call to their `done`.
    func close() {
        pending = [:]
        if let raw = unsafe raw { unsafe ccurl_pool_destroy(raw) }
        unsafe raw = nil
        for watch in watches.values { watch.close() }
        watches = [:]
        timer?.close()
        nextTurn?.close()
    }

    /// Starts a transfer. Returns whether libcurl has accepted it.
    ///
    /// - Parameter done: called in a later turn if libcurl has accepted the transfer.
    func start(_ transfer: Transfer, then done: @escaping (Outcome) -> Void) -> Bool {
        guard let raw = unsafe raw else { return false }
        lastNumber += 1
        pending[lastNumber] = Pending(policy: transfer.request.policy, done: done)
        if unsafe transfer.start(as: lastNumber, in: raw) { return true }
        pending[lastNumber] = nil
        return false
    }

    private func act(_ socket: Int32, _ events: Int32) {
        guard let raw = unsafe raw else { return }
        if unsafe ccurl_act(raw, socket, events) { nextTurn?.start(after: 1) }
        var result = ccurl_result()
        while let raw = unsafe self.raw, unsafe ccurl_take_ended(raw, &result) {
            let refusal = refusals.removeValue(forKey: result.transfer)
            guard let ended = pending.removeValue(forKey: result.transfer) else { continue }
            ended.done(result.outcome(refusal, ended.body))
        }
    }

    private func socketIsReady(_ socket: Int32, for events: SocketWatch.Events) {
        if turn != loop.turn { (turn, spent) = (loop.turn, 0) }
        guard spent < Self.share else { return }
        let began = EventLoop.nanoseconds
        act(socket, Int32(events.rawValue))
        spent += EventLoop.nanoseconds - began
    }

    // MARK: libcurl calls these in the middle of its work, so they never call libcurl.

    private static func pool(_ context: UnsafeMutableRawPointer?) -> TransferPool? {
        unsafe context.map { unsafe Unmanaged<TransferPool>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watch(_ socket: Int32, for events: Int32) {
        guard events != 0 else {
            watches.removeValue(forKey: socket)?.close()
            return
        }
        if watches[socket] == nil {
            watches[socket] = try? SocketWatch(socket, on: loop) { [unowned self] in socketIsReady(socket, for: $0) }
        }
        watches[socket]?.start(for: SocketWatch.Events(rawValue: UInt8(truncatingIfNeeded: events)))
    }

    private func setTimer(_ milliseconds: Int) {
        // With 0, libuv could call back again and again in one turn.
        if milliseconds < 0 { timer?.stop() } else { timer?.start(after: UInt64(max(1, milliseconds))) }
    }

    /// The bytes go straight to where they stay: to copy a large body at its end would hold the loop.
    private func keep(_ number: UInt64, _ bytes: UnsafeBufferPointer<UInt8>, of announced: Int64) {
        if pending[number]?.body.isEmpty == true {
            pending[number]?.body.reserveCapacity(Int(clamping: max(0, announced)))
        }
        unsafe pending[number]?.body.append(contentsOf: bytes)
    }

    private func mayConnect(_ number: UInt64, _ raw: UnsafePointer<ccurl_address>?) -> Bool {
        guard let raw = unsafe raw?.pointee, let policy = pending[number]?.policy else { return false }
        let bytes = unsafe withUnsafeBytes(of: raw.bytes) { unsafe Array($0.prefix(Int(raw.length))) }
        let refusal = policy.refusal(of: IPAddress(bytes), port: raw.port) {
            SocketAddress.ofThisMachine.map { IPAddress($0) }
        }
        refusals[number] = refusal
        return refusal == nil
    }
}

@available(*, unavailable) extension TransferPool: Sendable {}

extension IPAddress {
    init(_ address: SocketAddress) { self.init(address.bytes) }
}
