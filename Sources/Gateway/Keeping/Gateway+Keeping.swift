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
        let keeper = Keeper(store, self, offload: offload)
        try keeper.restore()
        self.keeper = keeper
        log(
            .info, "kept before", at: clock.now,
            ["devices": String(desk.devices.count), "events": String(desk.events.count), "path": store.path])
    }

    /// To be called before the end: everything goes to the disk.
    package func keepAll() {
        keeper?.end()
        flushWritten()
    }

    /// Something has happened that is not on the disk yet.
    var hasUnkept: Bool { keeper.map { $0.savedUpTo < desk.events.newest } ?? false }

    /// Pushes that could not be kept are not taken.
    var refusesForDisk: Bool {
        guard let keeper else { return false }
        if keeper.isBehind { keeper.catchUp() }
        return keeper.problem != nil
    }

    /// What a fault does may be an answer: the push is kept before, and everybody waits. False where the disk would not.
    func keepsBefore(_ fault: Fault) -> Bool {
        guard let keeper, !fault.plan.overrides else { return true }
        keeper.catchUp()
        return keeper.problem == nil
    }

    /// What a push is answered when it can't be kept.
    func diskRefusal(of request: Request, isSandbox: Bool) -> Outcome {
        desk.metrics.refused += 1
        note(.info, "refused", request, 503, RuleID("gateway.disk"), because: keeper?.problem?.description)
        if isAPNs(request) {
            let environment: PushEnvironment = isSandbox ? .sandbox : configuration.apns.environment
            let refusal = APNsRefusal(reason: .serviceUnavailable, cause: "the push can't be kept on the disk")
            return .answer(desk.apns.answer(refusal, headers: desk.answerHeaders(to: request, in: environment)))
        }
        return .answer(RecordedAnswer.response(503, "UNAVAILABLE", to: request))
    }

    private func isAPNs(_ request: Request) -> Bool { Service(rawValue: request.service)?.isAPNs ?? false }

    /// - Parameter isInTurn: connections are read from just now, and flushed when that is done.
    func answerHeld(_ ready: [(caller: Caller, response: Response)], isInTurn: Bool) {
        var touched: [ConnectionID] = []
        for (caller, response) in ready {
            guard let connection = connections[caller.connection] else { continue }
            write(response, to: caller, connection, dances: true)
            if touched.last != connection.id { touched.append(connection.id) }
        }
        if isInTurn {
            written += touched
        } else {
            for id in touched { connections[id]?.flush() }
        }
    }

    /// The disk would not have them: their providers are to send them again.
    func refuseHeld(_ callers: [Caller], isInTurn: Bool) {
        let apns = desk.apns.answer(
            APNsRefusal(reason: .serviceUnavailable, cause: "the push can't be kept on the disk"),
            headers: HeaderBlock())
        let google = RecordedAnswer.response(503, "UNAVAILABLE", to: Request(version: .http2))
        answerHeld(callers.map { (caller: $0, response: $0.isGoogles ? google : apns) }, isInTurn: isInTurn)
    }
}
