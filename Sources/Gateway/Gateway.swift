internal import APNs
internal import ControlAPI
package import Credentials
internal import Fetching
internal import HTTP2
package import HTTPCore
internal import Persistence
package import Platform
package import PushCore
package import PushEngine
internal import PushFeed
internal import Receivers
package import Routing
package import TLS

/// The state of a running gateway and its connections. One thread owns it, and nothing in it blocks.
package final class Gateway {
    package let configuration: Configuration
    package let log: Log
    package internal(set) var clock: Clock
    package let box: EngineBox
    /// Writes frames for the viewers of devices.
    let frames = DeviceFrames()
    var tls = TLSContexts()
    /// The certificate of the gateway's authority, in PEM; empty without certificates.
    private(set) var authority: [UInt8] = []
    var connections = ConnectionTable()
    let bodyBudget: BodyBudget
    /// The bytes of the budget for bodies and answers that no connection has reserved.
    var unreserved: Int { bodyBudget.left }
    let nghttp2Allocator = NGHTTP2Allocator()
    /// Milliseconds on the loop's clock. Timeouts use it, and the control API cannot change it.
    package var loopTime: () -> UInt64 = { 0 }
    var loopNow: UInt64 { loopTime() }
    /// Frames that are being sent to devices. Meanwhile, new frames go to `frames.outbox`.
    var sending = Outbox()
    /// Sockets with new frames. They are flushed when the work of the turn is done.
    var unflushed: [ConnectionID] = []
    var replays = Replays()
    /// The open event streams of `GET /events`.
    var streams: [EventStream] = []
    /// Calls to the control API that take several turns.
    var queries = Queries()
    /// Calls that wait for a file to be fetched.
    var files: [ReplyTarget] = []
    /// The gateway's own keys and certificates; nil without a server.
    var credentials: Credentials?
    /// Nil if nothing is saved on a disk.
    var persister: LogPersister?
    /// Whether sockets are not read because too much is unsaved.
    var isPausedForDisk = false
    /// What is sent to other programs; nil if nothing is.
    var outgoing: Outgoing?
    /// Reads the log for the webhook.
    var webhookReader: EventStream?
    /// The port of the first listener.
    package var port: UInt16 = 2197
    /// See `ControlFacts.run`.
    var run = ""
    package let turn: Turn
    /// Connections with input that did not fit into the turn in which it arrived.
    var deferredInput: [ConnectionID] = []
    /// Connections of the same kind whose input takes long (`Connection.isCostly`).
    var costlyDeferredInput: [ConnectionID] = []
    /// Connections whose output the kernel took after the turn was over. They continue with more in the next turn.
    var drained: [ConnectionID] = []
    /// Whether the last request was a call to the control API, which may take long.
    var hasHandledControl = false
    /// Asks the loop for another turn. If nil, all work is done immediately.
    package var scheduleMore: (() -> Void)?
    var isProcessingWork = false
    var schedule = Schedule()
    /// Whether actions that are due wait for the next turn.
    var hasDueActions = false
    /// The connections whose timeouts are still to be checked in this sweep.
    var unswept: ArraySlice<ConnectionID> = []
    /// Asks the loop to call `wake()` at a loop time.
    package var wakeAt: ((UInt64) -> Void)?
    /// Whether the process is shutting down and accepts nothing new.
    var isDraining = false

    /// Problems of connections that were logged in the last minute, such as a client that does not trust the gateway.
    var connectionNotes = RecentNotes()
    /// What the log tells about pushes.
    var feed: PushFeed
    let accessPolicy: AccessPolicy
    let keyring: Keyring
    /// The provider keys that the gateway started with, by id.
    let ownKeys: [String: ProviderKey]
    /// The proxy's connections to hosts that Pushpit does not imitate.
    package let relays: Relays
    private var scratch: [UInt8] = []
    private var dateText = DateText()

    package init(_ configuration: Configuration, log: Log, clock: Clock, seed: UInt64, keyring: Keyring = Keyring()) {
        self.configuration = configuration
        self.log = log
        self.clock = clock
        let settings = configuration.engineSettings(keyring: keyring, seed: seed)
        box = EngineBox(PushEngine(settings, notifier: frames))
        turn = Turn(milliseconds: configuration.turnTime)
        bodyBudget = BodyBudget(configuration.bodyMemory)
        keyring.keepForever()
        self.keyring = keyring
        ownKeys = settings.apns.keys
        feed = PushFeed(limit: log.isOn(.debug) ? .max : log.isOn(.info) ? PushFeed.usualLimit : 0)
        relays = Relays(upstream: configuration.upstreamProxy)
        accessPolicy = AccessPolicy(
            hosts: HostNames(configuration.hostNames), origins: configuration.allowedOrigins,
            apiToken: configuration.apiToken)
    }

    /// Shows these certificates to new connections.
    ///
    /// - Parameter authority: the certificate that signed them, in PEM, for `/ca.pem`.
    package func use(_ context: TLSContext?, signedBy authority: [UInt8] = []) {
        self.authority = authority
        tls.server = context
        accessPolicy.hosts.certificates = context
    }

    package var allowedOrigins: [WebOrigin] {
        get { accessPolicy.origins.list }
        set { accessPolicy.origins.list = newValue }
    }

    package var openConnections: Int { connections.count }
    package var events: EventLog { box.engine.events }

    /// The id that a push was answered with: an `apns-id`, a broadcast's `apns-request-id`, or the name of a message.
    package func answeredID(of record: PushRecord) -> String? {
        let ids = box.engine.answeredIDs(of: record)
        return ids?.apnsID ?? ids?.name
    }

    /// Accepts a connection. The caller has to pass the events of `transport` to the returned connection.
    package func accept(
        _ transport: any Transport, role: Role, environment: PushEnvironment? = nil, isLoopback: Bool = true
    ) -> Connection {
        let facts = ConnectionFacts(
            role: role, environment: environment ?? configuration.apns.environment, isLoopback: isLoopback, isTLS: false
        )
        let connection = Connection(id: connections.reserve(), gateway: self, transport: transport, facts)
        connections.insert(connection)
        box.engine.metrics.connections += 1
        return connection
    }

    package func advanceClock(by milliseconds: Int64) {
        clock.advance(by: milliseconds)
        box.engine.saveClock(clock.setting)
        runDue()
    }

    func connectionClosed(_ connection: Connection) {
        connections.remove(connection.id)
        replays.paused[connection.id] = nil
        forget(connection.id)
    }

    /// Lends the output buffer that all connections share, so that idle connections need none.
    func borrowScratch() -> [UInt8] {
        defer { scratch = [] }
        return scratch
    }

    func giveBackScratch(_ buffer: consuming [UInt8]) {
        guard buffer.capacity <= 4 << 20 else { return }
        buffer.removeAll(keepingCapacity: true)
        scratch = buffer
    }

    /// The value of the `date` header.
    var httpDate: [UInt8] { dateText.value(at: clock.now) }
}

@available(*, unavailable) extension Gateway: Sendable {}
