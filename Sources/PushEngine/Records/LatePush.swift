internal import Devices
internal import HTTPCore
internal import PushCore

/// A push that a fault delivers later.
struct LatePush {
    let due: Timestamp
    let fanOut: PushEngine.FanOut

    /// The number of the push and of the copy: a fault may deliver a push several times.
    static func key(_ push: PushID, _ copy: Int) -> String { "\(push.number).\(copy)" }
}

extension PushEngine.FanOut {
    /// The key of the record of a late push, and when it is due.
    struct Late {
        let key: String
        let due: Timestamp
    }
}

/// Pushes that faults deliver later. Their records are deleted when the last device has had its turn.
extension PushEngine {
    /// At this limit, faults no longer hold pushes back.
    static let latePushLimit = 100_000

    /// Delivers a push at `due`.
    mutating func hold(_ fanOut: FanOut, _ copy: Int, until due: Timestamp) {
        var fanOut = fanOut
        fanOut.late = FanOut.Late(key: LatePush.key(fanOut.id, copy), due: due)
        hold(fanOut, LatePush.key(fanOut.id, copy), until: due)
    }

    private mutating func hold(_ fanOut: FanOut, _ key: String, until due: Timestamp) {
        latePushes[key] = LatePush(due: due, fanOut: fanOut)
        pendingWork.delayedFanOuts.append((due, key))
        changes.note(.latePush, key)
    }

    /// Starts to deliver a push that is due. Nothing happens if it was started already.
    package mutating func startLatePush(_ key: String) {
        guard let push = latePushes.removeValue(forKey: key) else { return }
        pendingWork.fanOuts.append(push.fanOut)
    }

    /// Notes that one more device has had its turn.
    mutating func noteProgress(of late: FanOut.Late, isLast: Bool) {
        changes.note(.latePushProgress, late.key)
        if isLast { changes.note(.latePush, late.key) }
    }

    /// The push with this key, whether or not it was started; nil if all devices have had their turn.
    private func unfinished(_ key: String) -> FanOut? {
        if let waiting = latePushes[key]?.fanOut { return waiting }
        return pendingWork.fanOuts.first { $0.late?.key == key && !$0.slots.isEmpty }
    }

    /// The number of devices that have had their turn. Nil if it is 0 or if all devices have.
    func latePushProgress(_ key: String) -> UInt64? {
        guard let done = unfinished(key)?.slots.startIndex, done > 0 else { return nil }
        return UInt64(done)
    }

    /// The record of a late push, with the devices that have not had their turn.
    func savedLatePush(_ key: String) -> SavedLatePush? {
        guard let fanOut = unfinished(key), let late = fanOut.late else { return nil }
        var names: [String] = []
        names.reserveCapacity(fanOut.slots.count)
        for slot in fanOut.slots {
            let exists = devices.existed(Int(slot), atGeneration: fanOut.generation)
            names.append(exists ? devices.id(at: Int(slot)).description : "")
        }
        return SavedLatePush(
            due: late.due, id: fanOut.id, request: fanOut.request, environment: fanOut.environment,
            content: SavedLatePush.Content(fanOut.content), done: fanOut.slots.startIndex, devices: names)
    }

    /// Holds a saved push for its devices that still exist.
    ///
    /// - Parameter done: how many of its devices have had their turn.
    mutating func restore(_ saved: SavedLatePush, _ key: String, done: Int) throws(ByteReader.Damage) {
        var slots: [Int32] = []
        for id in saved.devices.dropFirst(max(0, done - saved.done)) {
            if let slot = devices.slot(of: DeviceID(id)) { slots.append(Int32(slot)) }
        }
        guard !slots.isEmpty else { return }
        var content = try saved.content.content(of: saved.request)
        if case .message(var message, isForMany: true) = content {
            limitReach(of: &message, saved.request)
            content = .message(message, isForMany: true)
        }
        let fanOut = FanOut(
            id: saved.id, request: saved.request, environment: saved.environment,
            content: content, generation: devices.generation, slots: slots[...],
            late: FanOut.Late(key: key, due: saved.due))
        hold(fanOut, key, until: saved.due)
    }
}
