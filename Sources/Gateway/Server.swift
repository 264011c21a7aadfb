package import Credentials
package import EventLoop
internal import Glibc
package import Platform
internal import PushCore
package import Storage
internal import TLS

/// A gateway with sockets: the event loop, the listeners, signal handling and the timer that finds silent peers.
package final class Server {
    package let gateway: Gateway
    package let credentials: Credentials
    /// Held while this gateway uses the credential files with the usual names.
    private let directoryLock: DirectoryLock?
    let loop: EventLoop
    /// For the proxy; nil if it passes nothing on.
    var lookup: HostLookup?
    let listeners: [TCPListener]
    var signals: [SignalWatch] = []
    var sweep: LoopTimer?
    var drainTimer: LoopTimer?
    var ending = Ending.notYet
    var mailbox: Mailbox<Message>?
    var nextTurn: LoopIdle?
    var nextDue: LoopTimer?
    private let admission: Admission
    private var memory = MemoryReturn()

    package enum Message: Sendable {
        case shutDown
        /// Shut down, and end all connections at once.
        case stop
        case advanceClock(milliseconds: Int64)
        case read(@Sendable (Gateway) -> Void)
    }

    /// Why a server cannot start.
    package enum Problem: Error {
        case credentials(Credentials.Problem)
        case listen(LoopError)
        case store(StorageError)
    }

    /// Opens the listeners first, because the credentials contain the port. Nothing is accepted before `run()`.
    package init(_ configuration: Configuration, log: Log, clock: Clock, seed: UInt64) throws(Problem) {
        var listeners: [TCPListener] = []
        do throws(LoopError) {
            loop = try EventLoop()
            for spec in configuration.listeners { listeners.append(try TCPListener(on: loop, at: spec.address)) }
        } catch {
            for listener in listeners { listener.close() }
            throw .listen(error)
        }
        self.listeners = listeners
        let context: TLSContext
        let keyring: Keyring
        do throws(Credentials.Problem) {
            let directory = configuration.certificates
            var lock: DirectoryLock?
            credentials = try Credentials.prepare(
                in: directory, for: configuration.credentials.listening(on: listeners[0].address.port),
                now: clock.now.seconds,
                isGatewayRunning: { _ in
                    lock = DirectoryLock.take(directory)
                    return lock == nil
                })
            directoryLock = lock
            context = try credentials.tlsServerContext()
            keyring = try credentials.keyring(with: configuration.apnsKeys)
        } catch {
            for listener in listeners { listener.close() }
            throw .credentials(error)
        }
        gateway = Gateway(configuration, log: log, clock: clock, seed: seed, keyring: keyring)
        admission = Admission(gateway, maximum: DescriptorLimit.connections)
        gateway.use(context, signedBy: credentials.authority)
        gateway.credentials = credentials
        gateway.port = listeners[0].address.port
        gateway.run = String(UInt64.random(in: .min ... .max), radix: 16)
        gateway.loopTime = { [unowned loop] in loop.now }
        if let directory = configuration.data {
            // If this fails, opening the store fails too, with an error that says why.
            try? Files.makeDirectory(around: directory)
            do throws(StorageError) {
                let store = try Store(directory: directory)
                try gateway.open(store) { [unowned loop] work, done in
                    // If no thread is available, the loop thread does the work.
                    do { try loop.offload(work, then: done) } catch { done(work()) }
                }
            } catch {
                for listener in listeners { listener.close() }
                throw .store(error)
            }
        }
        for (spec, listener) in zip(configuration.listeners, listeners) {
            listener.mayAccept = { [admission] in admission.admits() }
            listener.accepted = { [unowned gateway] stream in
                let connection = gateway.accept(
                    stream, role: spec.role, environment: spec.environment, isLoopback: spec.address.isLoopback)
                stream.owner = connection
                connection.resumeReading()
            }
        }
        do throws(LoopError) {
            sweep = try LoopTimer(on: loop) { [unowned self] in
                gateway.sweep()
                for listener in listeners { listener.resume() }
                let work = gateway.turn.total
                if memory.isDue(at: loop.now, work: work, free: gateway.unreserved) { Heap.giveBack() }
                endIfDrained()
            }
            nextTurn = try LoopIdle(on: loop) { [unowned gateway] in
                gateway.work()
                gateway.turn.beginWork()
                for listener in listeners { listener.resume() }
                return gateway.needsTurn
            }
            nextDue = try LoopTimer(on: loop) { [unowned gateway] in gateway.wake() }
            if configuration.forwardsOtherHosts { try allowDialing() }
            try openOutgoing()
        } catch { throw .listen(error) }
        sweep?.start(after: 500, every: 500)
        gateway.wakeAt = { [unowned self] due in nextDue?.start(after: due - min(due, loop.now)) }
        gateway.turn.readTime = { EventLoop.nanoseconds }
        loop.takesInput = { [unowned gateway] in gateway.takesInput }
        loop.inputWaits = { [unowned self] in nextTurn?.start() }
        loop.turnBegan = { [unowned gateway] in gateway.turn.begin() }
        loop.turnEnded = { [unowned gateway] in gateway.turn.end() }
        gateway.scheduleMore = { [unowned self] in nextTurn?.start() }
    }

    /// The addresses of the listeners, with the ports that the system chose.
    package var addresses: [(role: String, address: SocketAddress)] {
        zip(gateway.configuration.listeners, listeners).map { ($0.roleName, $1.address) }
    }

    /// Opens the mailbox through which other threads send messages.
    package func openMailbox() throws(LoopError) -> Mailbox<Message> {
        let mailbox = try Mailbox<Message>(on: loop) { [unowned self] in handle($0) }
        self.mailbox = mailbox
        return mailbox
    }

    package func watchSignals() throws(LoopError) {
        signals = [
            try SignalWatch(.terminate, on: loop) { [unowned self] in shutDown() },
            try SignalWatch(.interrupt, on: loop) { [unowned self] in shutDown() },
            try SignalWatch(.hangUp, on: loop) { [unowned self] in reload() },
        ]
    }

    /// Runs until the server has shut down and everything is closed.
    package func run() {
        loop.run()
        _ = loop.close()
    }

    private func handle(_ message: Message) {
        switch message {
        case .shutDown: shutDown()
        case .stop:
            shutDown()
            endConnections()
        case .advanceClock(let milliseconds): gateway.advanceClock(by: milliseconds)
        case .read(let body): body(gateway)
        }
    }
}

@available(*, unavailable) extension Server: Sendable {}
