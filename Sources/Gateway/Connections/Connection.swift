internal import APNs
package import EventLoop
internal import Faults
internal import HTTPCore
internal import PushCore
internal import PushEngine
internal import TLS

/// One accepted connection. It detects from the first bytes whether it is TLS, and then whether it is HTTP/2 or
/// HTTP/1.1. The transport calls `received`, `peerEnded`, `peerClosed` and `drained`.
package final class Connection: TCPStreamOwner {
    package let id: ConnectionID
    /// The gateway owns this connection through its table.
    unowned let gateway: Gateway
    let transport: any Transport
    var facts: ConnectionFacts
    /// What the engine remembers about this connection.
    var memory: ConnectionMemory
    var tls: TLSSession?
    var layer = Layer.opening
    var lifecycle = ConnectionLifecycle()
    /// The fault whose stream limit the connection begins with.
    var openingFault: Fault?
    /// Limits how much time the connection may use for input that completes no request.
    var workBudget: WorkBudget
    /// Whether a fault has delayed the connection already.
    var wasHeld = false

    /// Loop times of the connection's start, of the last byte in either direction, and of the last received byte.
    var opened: UInt64
    var lastActivity: UInt64
    private(set) var lastReceived: UInt64
    /// Input that arrived when the turn was over. Nothing is read until it is processed.
    var unread: [UInt8] = []
    /// How many bytes of `unread` are processed.
    var processed = 0
    /// Whether unprocessed input waits for a turn, or for room in the channel. Meanwhile, nothing is read.
    var hasDeferredInput = false
    /// Whether it waits until the work that its input has caused is done.
    var waitsForWork = false
    /// Whether it waits until its channel is no longer full.
    var waitsForRoom = false
    /// Nanoseconds spent on the current input and on the one before. An input ends when all of it is processed.
    var spent: (now: UInt64, before: UInt64) = (0, 0)
    /// Whether the last read took all that the kernel had.
    var hasReadAll = true
    /// Whether the protocol was known before the last read. If not, the next input may take long.
    private var isKnown = false
    /// Whether TLS has delivered a byte from the client.
    var hasInput = false
    /// Whether the channel still had output when it was drained last.
    var hasMoreOutput = false
    /// The number of bytes that were written, encrypted or not.
    var written = 0
    /// The number of bytes that the kernel had taken at the last sweep.
    var takenBefore = 0
    /// The time since which output has been waiting for the peer, and how many bytes the kernel had taken then.
    var waiting: (since: UInt64, taken: Int)?

    init(id: ConnectionID, gateway: Gateway, transport: any Transport, _ facts: ConnectionFacts) {
        self.id = id
        self.gateway = gateway
        self.transport = transport
        self.facts = facts
        memory = ConnectionMemory(session: APNsSession(environment: facts.environment))
        opened = gateway.loopNow
        workBudget = WorkBudget(share: gateway.turn.share, at: opened)
        lastActivity = opened
        lastReceived = opened
    }

    /// Whether its input takes longer than a quarter of a share of a turn, or did so last time.
    var isCostly: Bool { max(spent.now, spent.before) > gateway.turn.share / 4 }
    package var readQueue: ReadQueue { !isKnown ? .new : isCostly ? .costly : .usual }

    package func received(_ bytes: Span<UInt8>) {
        guard lifecycle.writesOutput, bytes.count > 0 else { return }
        let (began, work) = (gateway.turn.lastLook, gateway.waitingWork)
        (hasReadAll, isKnown) = (bytes.count < EventLoop.readBufferSize, layer.channel != nil)
        lastActivity = gateway.loopNow
        lastReceived = lastActivity
        gateway.clock.tick()
        if case .opening = layer { open(first: bytes[0]) }
        if tls != nil { receiveTLS(bytes) } else { handle(bytes) }
        flush()
        applyTermination()
        spendTime(since: began)
        waitForWork(since: work)
        gateway.workAfterInput()
        // The client may have made room for the answers of its queries.
        if !gateway.queries.isEmpty { gateway.scheduleMore?() }
    }

    /// The peer has closed its side. It may still read.
    package func peerEnded() {
        noteSilentEnd()
        if perform(lifecycle.peerEnded()) { return }
        switch layer.channel?.peerEnded() ?? .close {
        case .close: return close()
        case .stayOpen: return
        case .endGracefully: break
        }
        flush()
        endGracefully()
        closeIfDone()
    }

    package func peerClosed() {
        noteSilentEnd()
        close()
    }

    package func drained() {
        lastActivity = gateway.loopNow
        if gateway.turn.isOver, let scheduleMore = gateway.scheduleMore {
            gateway.drained.append(id)
            return scheduleMore()
        }
        continueOutput()
    }

    /// Sends what follows the output that the kernel has taken.
    func continueOutput() {
        flush()
        applyTermination()
        if case .webSocket = layer { gateway.resumeReplay(of: id) }
        closeIfDone()
        resumeReading()
        // The event streams on this connection may have room for more events.
        gateway.scheduleWork()
    }

    /// Continues to read, unless the peer has to read its answers first or too much is unsaved.
    package func resumeReading() {
        guard !hasDeferredInput, transport.pendingBytes < Self.outputLimit / 2,
            lifecycle.writesOutput || lifecycle.isDead,
            !gateway.isPausedForDisk, layer.channel?.mustPauseReading != true
        else { return }
        transport.startReading()
    }

    package func close() {
        guard lifecycle.closed() else { return }
        layer.channel?.detach()
        transport.close()
        gateway.connectionClosed(self)
    }

    func reset() {
        transport.reset()
        close()
    }

    func upgrade(to channel: WebSocketChannel) { layer = .webSocket(channel) }

    func endGracefully() {
        guard lifecycle.endBegan() else { return }
        if let tls {
            tls.shutDown()
            tls.drain { transport.write($0) }
        }
        transport.endWriting()
        transport.startReading()
        closeIfDone()
    }

    private func closeIfDone() {
        _ = perform(lifecycle.outputDrained(pending: transport.pendingBytes, at: gateway.loopNow))
    }

    /// Ends the connection if a fault requires it and earlier answers are sent.
    func applyTermination() { if !hasMoreOutput { _ = perform(lifecycle.outputFlushed()) } }

    /// Returns true if the connection is closed.
    func perform(_ action: ConnectionLifecycle.Action) -> Bool {
        switch action {
        case .nothing: return false
        case .close: close()
        case .reset: reset()
        }
        return true
    }
}

@available(*, unavailable) extension Connection: Sendable {}
