internal import Devices
internal import PushCore

/// Writing to the event log.
extension PushEngine {
    /// Records the verdict on a push, with the request. Inlined, because the compiler can then move the members out of
    /// the verdict instead of copying them.
    @inline(__always)
    mutating func record(_ verdict: consuming RecordedVerdict, _ context: borrowing PushContext) {
        // A longer text is not the name of an app, and the log's byte limit counts requests but not names.
        let app = verdict.app.utf8.count > Self.maxAppNameLength ? "" : verdict.app
        let kept = events.store(context, in: verdict.kind == .accepted ? .main : .refused)
        let record = PushRecord(
            id: context.id, provider: verdict.provider, name: verdict.name, request: kept, status: verdict.status,
            reason: verdict.reason, findings: verdict.findings, environment: context.environment)
        let subject = Event.Subject(app: app, device: verdict.device, push: context.id)
        let event = events.next(verdict.kind, at: context.now, about: subject, why: verdict.why, detail: .push(record))
        events.append(event, keeping: kept)
    }

    /// Records that something happened on a device, and reports it to the device's viewers.
    ///
    /// - Parameter delivery: the push that arrived with this event. Evaluated only if there are viewers.
    @inline(__always)
    mutating func append(
        _ deviceEvent: consuming DeviceEvent, detail: consuming Event.Detail = .none,
        carrying delivery: @autoclosure () -> Delivery? = nil, _ slot: Int, at now: Timestamp
    ) {
        let subject = Event.Subject(app: devices.app(at: slot), device: devices.id(at: slot), push: deviceEvent.push)
        let event = events.next(deviceEvent.kind, at: now, about: subject, why: deviceEvent.why, detail: detail)
        let viewers = watches[slot].viewers
        if !viewers.isEmpty { notifyViewers(event, delivery, to: viewers, slot) }
        events.append(consume event)
    }
}
