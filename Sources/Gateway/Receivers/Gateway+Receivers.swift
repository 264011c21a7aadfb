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

/// Calls of clients that receive pushes, and web pushes to them.
extension Gateway {
    func handleReceiver(_ request: Request, on connection: Connection) -> RequestOutcome {
        defer { noteReceiverNews() }
        let path = String(decoding: request.path, as: UTF8.self)
        let last = PercentCode.decode((path.split(separator: "/").last ?? "").utf8, isForm: false)
        if path.hasPrefix("/v1/") {
            return .answer(
                firebase.answer(request, at: clock.now) { [receivers, autopush] token in
                    receivers.knows(token: token) || autopush.knows(token: token)
                })
        }
        if request.method == .delete {
            return .answer(Response(status: path.hasPrefix("/m/") && autopush.delete(last) ? 200 : 404))
        }
        switch path {
        case "/checkin": return .answer(receivers.checkIn(request, at: clock.now))
        case "/c2dm/register3": return .answer(receivers.register(request))
        default: return handleWebPush(request, to: last, isMozilla: path.hasPrefix("/wpush/"), on: connection)
        }
    }

    private func handleWebPush(
        _ request: Request, to token: String, isMozilla: Bool, on connection: Connection
    ) -> RequestOutcome {
        if persister != nil, refusesForDisk { return refuseForDisk(request, isSandbox: false) }
        let before = box.engine.events.newest
        let id = box.engine.nextWebPush()
        let webPush = WebPush(request, id, to: token, at: clock.now)
        let answer =
            isMozilla
            ? autopush.send(webPush, base: connection.base(of: request), verify: Self.verify)
            : receivers.send(webPush, verify: Self.verify)
        box.engine.record(webPush, answer)
        feed.received(after: before, refusedBy: answer.refusal?.id)
        noteReceiverNews()
        deliverToReceivers()
        let isAccepted = answer.refusal == nil
        return isAccepted && hasUnsaved
            ? .afterPersist(answer.response, VendorCall(.webpush, after: before), nil) : .answer(answer.response)
    }

    /// Records what has happened to receivers and their pushes.
    func noteReceiverNews() {
        let before = box.engine.events.newest
        noteFirebaseNews()
        for news in receivers.takeNews() { note(news) }
        for news in autopush.takeNews() { note(news) }
        if box.engine.events.newest != before { scheduleWork() }
    }

    private func note(_ news: ReceiverNews) {
        // When a subscription ends, its FCM token ends too.
        if case .unsubscribed(let token) = news {
            firebase.end(subscription: token)
            noteFirebaseNews()
        }
        box.engine.apply(news, at: clock.now)
    }

    private func noteFirebaseNews() {
        for news in firebase.takeNews() { box.engine.apply(news, at: clock.now) }
    }

    /// Encrypts the next message of FCM for a real receiver, and sends it.
    func encryptNext() {
        guard let push = box.engine.pendingWork.receiverPushes.popFirst(),
            let registration = firebase.registration(push.token)
        else { return }
        do throws(CryptoError) {
            let cipher = try WebPushCipher(push.text, for: registration.key, secret: registration.secret)
            EncryptedPush(push, to: registration, salt: cipher.salt, key: cipher.key, body: cipher.body)
                .deliver(&receivers, &autopush, at: clock.now)
        } catch {
            log(.warning, "not encrypted", at: clock.now, ["push": push.id.description, "because": error.description])
        }
        noteReceiverNews()
        deliverToReceivers()
    }

    /// Ends the registrations whose devices were deleted.
    func endReceivers() {
        for token in box.engine.pendingWork.endedReceivers {
            receivers.end(token)
            autopush.end(token)
        }
        box.engine.pendingWork.endedReceivers = []
        noteReceiverNews()
    }

    /// Sends the pushes that have come for connected clients.
    private func deliverToReceivers() {
        defer { noteReceiverNews() }
        for id in receivers.takeWoken() + autopush.takeWoken() {
            guard let connection = connections[ConnectionID(slot: id.slot, generation: id.generation)] else { continue }
            switch connection.layer {
            case .mcs(let channel): channel.deliver()
            case .webSocket(let channel): channel.deliverAutopush()
            default: continue
            }
            connection.flush()
        }
    }

    /// Checks an ES256 signature by a public key of 65 bytes.
    private static func verify(_ key: [UInt8], _ message: [UInt8], _ signature: [UInt8]) -> Bool {
        (try? PublicKey(p256: key))?.verify(signature, of: message) ?? false
    }
}

extension Connection {
    /// Where the client reaches the gateway, such as `https://localhost:2197`.
    func base(of request: Request) -> String {
        "\(facts.isTLS ? "https" : "http")://\(request.headers.authorityText ?? "localhost")"
    }
}
