internal import APNs
internal import Devices
internal import FCM
internal import HTTPCore
package import Persistence
internal import Platform
internal import PushCore
internal import PushEngine
internal import Routing
package import Storage

/// Saving and restoring with a `--data` directory.
///
/// A push is answered only when it is on the disk, and so is a call to the control API that changes something. While
/// too much is unsaved, the gateway stops reading from sockets. The loop never waits for the disk.
extension Gateway {
    /// Restores the state from a store, and saves every later change to it.
    package func open(_ store: Store, offload: @escaping LogPersister.Offload) throws(StorageError) {
        let persister = LogPersister(store, logCapacity: configuration.logCapacity, offload: offload)
        try persister.restore(&box.engine)
        try restoreSettings(from: store.path)
        self.persister = persister
        run = String(UInt64(bitPattern: persister.identity), radix: 16)
        log(
            .info, "event log restored", at: clock.now,
            [
                "devices": box.engine.devices.count, "events": box.engine.events.count,
                "path": store.path,
            ])
    }

    /// Saves everything before the process ends.
    package func saveAll() {
        guard let persister else { return }
        for progress in persister.end(&box.engine, at: loopNow) { apply(progress) }
        flushSockets()
    }

    /// Whether anything has happened that is not on the disk yet.
    var hasUnsaved: Bool { persister?.hasUnsaved(box.engine) ?? false }

    /// Sends an answer when everything that has happened so far is saved.
    func hold(_ reply: HeldReply) { persister?.hold(reply, box.engine) }

    /// Whether pushes are refused because they could not be saved.
    var refusesPushesWhileUnsaved: Bool { persister?.refusesPushes(box.engine) ?? false }

    /// Starts the next batch if one is due, and stops reading from sockets while too much is unsaved.
    func workOnPersistence() {
        guard let persister else { return }
        if persister.hasWork(in: box.engine, at: loopNow) {
            // `unowned` avoids a reference cycle: the persister's offload function may hold this closure.
            let isPrepared = persister.begin(&box.engine) { [unowned self, unowned persister] error in
                apply(persister.finish(error, &box.engine, at: loopNow))
                flushSockets()
                scheduleWork()
            }
            if !isPrepared { scheduleWork() }
        }
        if needsPause {
            isPausedForDisk = true
            for connection in connections.all { connection.transport.stopReading() }
        }
    }

    /// Whether reading from sockets has to pause now, because too much is unsaved.
    var needsPause: Bool { !isPausedForDisk && persister?.isBehind(box.engine) == true }

    private func resumeReading() {
        guard isPausedForDisk, persister?.isBehind(box.engine) != true else { return }
        isPausedForDisk = false
        for connection in connections.all { connection.resumeReading() }
        scheduleWork()
    }

    private func apply(_ progress: LogPersister.Progress) {
        switch progress {
        case .saved(let replies, let isRecovery):
            if isRecovery { log(.info, "event log saved again", at: clock.now) }
            for reply in replies { send(reply) }
        case .failed(let error, let replies, let isNewProblem):
            if isNewProblem {
                log(
                    .error, "cannot save the event log to --data", at: clock.now,
                    ["error": error.description, "because": "pushes are refused until the disk accepts writes"])
            }
            for reply in replies { refuse(reply, because: error) }
        }
        resumeReading()
    }

    private func send(_ reply: HeldReply) {
        guard let connection = connections[reply.target.connection] else { return }
        if let fault = reply.fault { return connection.performDeferred(fault, reply) }
        write(reply.response, to: reply.target, connection, adjustsStreamLimit: true)
        noteUnflushed(connection.id)
    }

    private func refuse(_ reply: HeldReply, because error: StorageError) {
        let target = reply.target
        guard let connection = connections[target.connection] else { return }
        let response =
            switch reply.call?.provider {
            case .apns: box.engine.dialects.apns.answer(Self.diskRefusal, headers: Self.ids(in: reply.response))
            case .fcm: RecordedAnswer.response(503, "UNAVAILABLE", to: reply.refusedRequest ?? Request(version: .http2))
            case .webpush:
                Response(
                    status: 503, contentType: "text/plain; charset=utf-8",
                    text: "The push cannot be saved on the disk.\n")
            case nil: Self.unsavedChange(error).response
            }
        if let call = reply.call, let request = reply.refusedRequest {
            let status = visibleStatus(response.status, call.provider, reply.fault, on: target.stream ?? 0)
            note(
                .info, "refused", request,
                RequestNote(
                    status: status, rule: RuleID("gateway.disk"), because: error.description, answer: reply.response))
        }
        if let fault = reply.fault {
            let refused = HeldReply(to: target, response, for: reply.call, fault: fault, isHead: reply.isHead)
            return connection.performDeferred(fault, refused)
        }
        write(response, to: target, connection, adjustsStreamLimit: true)
        noteUnflushed(connection.id)
    }

    /// The fields of an answer by which the sender knows its push.
    private static func ids(in answer: Response) -> HeaderBlock {
        var ids = HeaderBlock()
        for name in [HeaderName.apnsID, .apnsRequestID, .apnsUniqueID] {
            if let id = answer.headers.first(name) { ids.append(name, id) }
        }
        return ids
    }

    /// The answer to a call to the control API whose change was made but not saved.
    private static func unsavedChange(_ error: StorageError) -> ControlProblem {
        ControlProblem(
            status: 503, code: "notSaved",
            message:
                "The change was made, but it is not on the disk: \(error). It is saved when the disk accepts writes again."
        )
    }

    private static let diskRefusal = APNsRefusal(
        reason: .serviceUnavailable, cause: "the push cannot be saved on the disk")

    /// The answer to a push that cannot be saved.
    func refuseUnsaved(_ request: Request, isSandbox: Bool) -> RequestOutcome {
        let cause = persister?.problem?.description ?? "the disk is too slow for this rate of pushes"
        let isAPNs = request.route.service.isAPNs
        let environment: PushEnvironment = isSandbox ? .sandbox : configuration.apns.environment
        let id = box.engine.refuseUnsaved(
            request, isAPNs ? .apns : request.route.service == .receiver ? .webpush : .fcm, in: environment,
            isRecorded: persister?.hasRoomForRefusals(box.engine) == true, at: clock.now)
        let headers = box.engine.answerHeaders(to: request, id, in: environment)
        let response =
            isAPNs
            ? box.engine.dialects.apns.answer(Self.diskRefusal, headers: headers)
            : RecordedAnswer.response(503, "UNAVAILABLE", to: request)
        note(
            .info, "refused", request,
            RequestNote(status: 503, rule: RuleID("gateway.disk"), because: cause, answer: response))
        return .answer(response)
    }
}
