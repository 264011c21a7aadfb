package import Platform
package import Credentials
package import EventLoop
internal import Glibc
internal import PushCore
package import Storage
internal import TLS

/// A gateway on sockets: the loop, its listeners, the signals and the clock that looks for silent peers.
package final class Server {
    package let gateway: Gateway
    package let credentials: Credentials
    private let loop: EventLoop
    private let listeners: [TCPListener]
    private var signals: [SignalWatch] = []
    private var sweep: LoopTimer?
    private var drainEnds: LoopTimer?
    private var mailbox: Mailbox<Message>?
    private var nextTurn: LoopIdle?
    private var nextDue: LoopTimer?

    /// What other threads may ask for.
    package enum Message: Sendable {
        case shutDown
        case advanceClock(milliseconds: Int64)
        case read(@Sendable (Gateway) -> Void)
    }

    /// What keeps a server from starting.
    package enum Problem: Error {
        case credentials(Credentials.Problem)
        case listen(LoopError)
        case store(StorageError)
    }

    /// Listens first: the credentials name the port. Nothing is accepted before `run()`.
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
            credentials = try Credentials.prepare(
                in: configuration.certificates, port: listeners[0].address.port, now: clock.now.seconds)
            context = try credentials.tlsServerContext()
            keyring = try credentials.keyring(with: configuration.apnsKeys)
        } catch {
            for listener in listeners { listener.close() }
            throw .credentials(error)
        }
        gateway = Gateway(configuration, log: log, clock: clock, seed: seed, keyring: keyring)
        gateway.tlsContext = context
        gateway.port = listeners[0].address.port
        gateway.loopTime = { [unowned loop] in loop.now }
        if let directory = configuration.data {
            do throws(StorageError) {
                let store = try Store(directory: directory)
                try gateway.open(store) { [unowned loop] work, done in
                    // Where no thread is to be had, this one does it.
                    do { try loop.offload(work, then: done) } catch { done(work()) }
                }
            } catch {
                for listener in listeners { listener.close() }
                throw .store(error)
            }
        }
        for (spec, listener) in zip(configuration.listeners, listeners) {
            listener.accepted = { [unowned gateway] stream in
                let connection = gateway.accept(stream, role: spec.role, environment: spec.environment)
                stream.owner = connection
                connection.resumeReading()
            }
        }
        do throws(LoopError) {
            sweep = try LoopTimer(on: loop) { [unowned self] in
                gateway.sweep()
                endIfDrained()
            }
            nextTurn = try LoopIdle(on: loop) { [unowned gateway] in
                gateway.workOff()
                return gateway.hasWork
            }
            nextDue = try LoopTimer(on: loop) { [unowned gateway] in gateway.runDue() }
        } catch { throw .listen(error) }
        sweep?.start(after: 500, every: 500)
        gateway.wakeAt = { [unowned self] due in nextDue?.start(after: due - min(due, loop.now)) }
        gateway.scheduleMore = { [unowned self] in nextTurn?.start() }
    }

    /// Where it listens, with the ports the system chose.
    package var addresses: [(role: String, address: SocketAddress)] {
        zip(gateway.configuration.listeners, listeners).map { ($0.roleName, $1.address) }
    }

    /// The way in for other threads.
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

    /// Returns when it has been shut down and all is closed.
    package func run() {
        loop.run()
        _ = loop.close()
    }

    /// Takes nothing new, lets what runs end for the drain time, then ends. The second time it ends at once.
    package func shutDown() {
        guard !gateway.isDraining else { return endNow() }
        gateway.isDraining = true
        gateway.log(
            .info, "going down", at: gateway.clock.now, ["connections": String(gateway.openConnections)])
        for listener in listeners { listener.close() }
        gateway.endWaiting()
        for connection in gateway.connections.all { connection.shutDown() }
        drainEnds = try? LoopTimer(on: loop) { [unowned self] in endNow() }
        drainEnds?.start(after: gateway.configuration.drainTimeout)
        sweep?.start(after: 10, every: 10)
        endIfDrained()
    }

    private func endIfDrained() {
        if gateway.isDraining, gateway.openConnections == 0 { endNow() }
    }

    private func endNow() {
        gateway.saveAll()
        for listener in listeners { listener.close() }
        for connection in gateway.connections.all { connection.close() }
        for signal in signals { signal.close() }
        for timer in [sweep, nextDue, drainEnds] { timer?.close() }
        nextTurn?.close()
        mailbox?.close()
    }

    /// New connections get what the files say now; those that are open keep what they have.
    private func reload() {
        gateway.clock.tick()
        do {
            let fresh = try Credentials.prepare(
                in: credentials.directory, port: listeners[0].address.port, now: gateway.clock.now.seconds)
            gateway.tlsContext = try fresh.tlsServerContext()
            gateway.log(.info, "certificates reloaded", at: gateway.clock.now)
        } catch {
            gateway.log(.error, "certificates not reloaded", at: gateway.clock.now, ["error": "\(error)"])
        }
    }

    private func handle(_ message: Message) {
        switch message {
        case .shutDown: shutDown()
        case .advanceClock(let milliseconds): gateway.advanceClock(by: milliseconds)
        case .read(let body): body(gateway)
        }
    }
}

@available(*, unavailable) extension Server: Sendable {}
