internal import Platform
internal import APNs
internal import Devices
internal import FCM
internal import HTTPCore
internal import PushCore
package import Storage

extension Gateway {
    /// Takes back what a store has, and keeps in it what happens from now on.
    package func open(
        _ store: Store,
        offload: @escaping (@escaping @Sendable () -> StorageError?, @escaping (StorageError?) -> Void) -> Void
    ) throws(StorageError) {
        let persister = LogPersister(store, self, offload: offload)
        try persister.restore()
        self.persister = persister
        log(
            .info, "kept before", at: clock.now,
            ["devices": String(engine.devices.count), "events": String(engine.events.count), "path": store.path])
    }

    /// To be called before the end: everything goes to the disk.
    package func keepAll() {
        persister?.end()
        flushWritten()
    }

    /// Something has happened that is not on the disk yet.
    var hasUnkept: Bool { persister.map { $0.savedUpTo < engine.events.newest } ?? false }

    /// Pushes that could not be kept are not taken.
    var refusesForDisk: Bool {
        guard let persister else { return false }
        if persister.isBehind { persister.catchUp() }
        return persister.problem != nil
    }

    /// What a fault does may be an answer: the push is kept before, and everybody waits. False where the disk would not.
    func keepsBefore(_ fault: Fault) -> Bool {
        guard let persister, !fault.plan.overrides else { return true }
        persister.catchUp()
        return persister.problem == nil
    }

    /// What a push is answered when it can't be kept.
    func diskRefusal(of request: Request, isSandbox: Bool) -> Outcome {
        engine.metrics.refused += 1
        note(.info, "refused", request, 503, RuleID("gateway.disk"), because: persister?.problem?.description)
        if isAPNs(request) {
            let environment: PushEnvironment = isSandbox ? .sandbox : configuration.apns.environment
            let refusal = APNsRefusal(reason: .serviceUnavailable, cause: "the push can't be kept on the disk")
            return .answer(engine.apns.answer(refusal, headers: engine.answerHeaders(to: request, in: environment)))
        }
        return .answer(RecordedAnswer.response(503, "UNAVAILABLE", to: request))
    }

    private func isAPNs(_ request: Request) -> Bool { Service(rawValue: request.service)?.isAPNs ?? false }

    /// - Parameter isInTurn: connections are read from just now, and flushed when that is done.
    func answerHeld(_ ready: [(replyTarget: ReplyTarget, response: Response)], isInTurn: Bool) {
        var touched: [ConnectionID] = []
        for (replyTarget, response) in ready {
            guard let connection = connections[replyTarget.connection] else { continue }
            write(response, to: replyTarget, connection, adjustsStreamLimit: true)
            if touched.last != connection.id { touched.append(connection.id) }
        }
        if isInTurn {
            written += touched
        } else {
            for id in touched { connections[id]?.flush() }
        }
    }

    /// The disk would not have them: their providers are to send them again.
    func refuseHeld(_ callers: [ReplyTarget], isInTurn: Bool) {
        let apns = engine.apns.answer(
            APNsRefusal(reason: .serviceUnavailable, cause: "the push can't be kept on the disk"),
            headers: HeaderBlock())
        let google = RecordedAnswer.response(503, "UNAVAILABLE", to: Request(version: .http2))
        answerHeld(callers.map { (replyTarget: $0, response: $0.isFromFCM ? google : apns) }, isInTurn: isInTurn)
    }
}
