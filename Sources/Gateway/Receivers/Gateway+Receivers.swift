internal import Compression
internal import FCM
internal import HTTPCore
internal import Persistence
internal import Platform
internal import PushCore
internal import PushEngine
internal import PushFeed
internal import Receivers
internal import Routing
internal import TLS
internal import WebSocket

/// Calls from clients that receive pushes, and web pushes to them.
extension Gateway {
    func handleReceiver(_ request: Request, on connection: Connection) -> RequestOutcome {
        let before = stateVersion
        if RealReceivers.isCall(request) {
            let request = Self.uncompressed(request)
            let (response, fault) = box.engine.answerReceiver(request, &connection.memory.faults, at: clock.now)
            if let fault { noteFault(fault, .fcm, request, response) }
            noteReceiverNews()
            return outcome(response, nil, fault, isAccepted: before != stateVersion)
        }
        if request.method != .post { return .answer(Response(status: 405)) }
        guard let push = WebPush(request, box.engine.nextWebPush(), at: clock.now) else {
            return .answer(Response(status: 404))
        }
        if persister != nil, refusesPushesWhileUnsaved { return refuseUnsaved(request, isSandbox: false) }
        let (answer, fault) = box.engine.send(push, base: connection.base(of: request), &connection.memory.faults)
        feed.received(after: before.newest, refusedBy: answer.refusal?.id)
        noteReceiverNews()
        return outcome(
            answer.response, VendorCall(.webpush, after: before.newest), fault, isAccepted: answer.refusal == nil)
    }

    /// The request with the body that its client has compressed, as microG does. A damaged body stays as it came.
    private static func uncompressed(_ request: Request) -> Request {
        guard GzipMessage.hasEncoding(request) else { return request }
        return (try? GzipMessage.decoded(request, limit: callLimit)) ?? request
    }

    /// The most bytes of a call's body after decompression.
    private static let callLimit = 64 << 10

    /// Records what has happened to receivers and their pushes, and sends what has arrived for them.
    func noteReceiverNews() {
        let before = box.engine.events.newest
        box.engine.applyReceiverNews(at: clock.now)
        for id in box.engine.realReceivers.takeConnectionsToClose() { closeReceiver(id) }
        deliverToReceivers()
        if box.engine.events.newest != before { scheduleWork() }
    }

    /// Records what a channel has delivered. The readers of the log see it in the next turn.
    func noteDelivered() {
        if box.engine.applyReceiverNews(at: clock.now) { scheduleMore?() }
    }

    /// Encrypts the next FCM message for a real receiver, and sends it.
    func encryptNext() {
        if let push = box.engine.pendingWork.receiverPushes.popFirst() { encrypt(push) }
    }

    private func encrypt(_ push: ReceiverPush) {
        // Its registration may have ended in the meantime.
        guard let app = box.engine.realReceivers.webApp(push.token) else {
            box.engine.dropUnregistered(push, at: clock.now)
            return scheduleWork()
        }
        do throws(CryptoError) {
            let cipher = try WebPushCipher(push.text, for: app.key, secret: app.secret)
            let encrypted = EncryptedPush(push, salt: cipher.salt, key: cipher.key, body: cipher.body)
            box.engine.realReceivers.add(encrypted, to: app, at: clock.now)
        } catch {
            log(.warning, "not encrypted", at: clock.now, ["push": push.id.description, "because": error.description])
            box.engine.realReceivers.drop(push, app, .notEncrypted)
        }
        noteReceiverNews()
    }

    /// Encrypts a message to one real receiver at once, so that it is saved together with the answer. The receivers of a
    /// topic have their turns later.
    ///
    /// - Parameter count: how many messages waited before it came.
    func encryptBeforeSaving(after count: Int) {
        guard box.engine.pendingWork.receiverPushes.count == count + 1,
            let push = box.engine.pendingWork.receiverPushes.popLast()
        else { return }
        encrypt(push)
    }

    /// Wakes the connections of clients for which pushes have arrived.
    private func deliverToReceivers() {
        for id in box.engine.realReceivers.takeWoken() {
            guard let connection = connections[ConnectionID(slot: id.slot, generation: id.generation)] else { continue }
            if case .webSocket(let channel) = connection.layer { channel.deliverAutopush() }
            connection.flush()
        }
    }

    /// Closes the older connection of a client that has connected again.
    private func closeReceiver(_ id: ClientID) {
        guard let connection = connections[ConnectionID(slot: id.slot, generation: id.generation)] else { return }
        if case .webSocket(let channel) = connection.layer {
            channel.close(.goingAway, "the client has connected again")
        }
        if case .mcs(let channel) = connection.layer { channel.shutDown() }
        connection.flush()
    }
}

extension Connection {
    /// Where the client reaches the gateway, such as `https://localhost:2197`.
    func base(of request: Request) -> String {
        "\(facts.isTLS ? "https" : "http")://\(request.headers.authorityText ?? "localhost")"
    }
}
