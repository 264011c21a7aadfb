package import Gateway
internal import Threads
internal import Platform
internal import PushCore

/// A gateway without sockets: the bytes of its connections go through memory, and loop time stands still.
package final class EmbeddedHost: GatewayHost {
    package let gateway: Gateway
    /// The lines of the gateway's log.
    package let log: LogLines
    private var pipes: [MemoryPipe] = []
    private var isRunning = false
    private var loopNow: UInt64 = 0
    /// The loop time at which the gateway wants to be woken; nil if it did not ask.
    private var wakesAt: UInt64?
    /// If true, the gateway gets the turns that it asks for only from `takeTurn`. If false, it gets them immediately.
    package var takesTurnsManually = false
    private var isTurnDue = false

    /// How often a running gateway checks for silent peers, in milliseconds.
    private static let sweepInterval: UInt64 = 500

    init(_ configuration: TestConfiguration) {
        log = LogLines(configuration.logsDebug ? .debug : .info, configuration.logsJSON ? .json : .text)
        gateway = Gateway(
            configuration.gatewayConfiguration, log: log.log, clock: .manual(at: testEpoch), seed: configuration.seed)
        gateway.loopTime = { [unowned self] in loopNow }
        gateway.wakeAt = { [unowned self] due in wakesAt = due }
        gateway.scheduleMore = { [unowned self] in isTurnDue = true }
    }

    var url: String? { nil }
    var credentials: TestCredentials? { nil }

    func connect(to role: TestRole, _ options: PipeOptions) throws -> any ClientPipe {
        if case .certificate = options.tls {
            throw TestFailure(.unsupportedHere, "an embedded connection has no TLS and therefore no client certificate")
        }
        let pipe = MemoryPipe(host: self)
        let listener = role.listener
        let connection = gateway.accept(pipe.transport, role: listener.role, environment: listener.environment)
        pipe.open(connection)
        pipes.append(pipe)
        connection.resumeReading()
        return pipe
    }

    func forget(_ pipe: MemoryPipe) { pipes.removeAll { $0 === pipe } }

    /// Runs the gateway until it has nothing left to read or do.
    package func settle() {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        var isDone = false
        while !isDone {
            isDone = true
            gateway.turn.end()
            for pipe in pipes where pipe.deliver() { isDone = false }
            if !takesTurnsManually, takeTurn() { isDone = false }
        }
    }

    /// Holds back what clients send during `body`. Afterwards, each connection's bytes arrive in one piece,
    /// up to 64 KiB.
    package func holding<Value>(_ body: () throws -> Value) rethrows -> Value {
        precondition(!isRunning, "the gateway is already running")
        isRunning = true
        defer {
            isRunning = false
            settle()
        }
        return try body()
    }

    /// Runs one turn of the loop if the gateway has asked for one; otherwise returns false.
    package func takeTurn() -> Bool {
        guard isTurnDue else { return false }
        isTurnDue = false
        gateway.work()
        if gateway.needsTurn { isTurnDue = true }
        return true
    }

    func advanceClock(milliseconds: Int64) {
        gateway.advanceClock(by: milliseconds)
        settle()
    }

    package func advanceLoopTime(milliseconds: UInt64) {
        let end = loopNow + milliseconds
        while loopNow < end {
            loopNow = min(end, loopNow + Self.sweepInterval)
            if let due = wakesAt, due <= loopNow {
                wakesAt = nil
                gateway.wake()
            }
            gateway.sweep()
            settle()
        }
    }

    func events() -> [TestEvent] {
        gateway.events.events(after: 0).map { TestEvent($0, in: gateway) }
    }

    func shutDown() { for pipe in pipes { pipe.close() } }
}

/// What a gateway has logged.
package final class LogLines: Sendable {
    private let text = Lock<[UInt8]>([])
    private let level: Log.Level
    private let format: Log.Format

    init(_ level: Log.Level, _ format: Log.Format) {
        self.level = level
        self.format = format
    }

    package var lines: [String] {
        text.withLock { $0 }.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    var log: Log {
        Log(format: format, level: level) { [self] line in text.withLock { $0 += line } }
    }
}
