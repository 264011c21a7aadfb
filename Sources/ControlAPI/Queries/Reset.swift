internal import PushCore
internal import Devices
internal import HTTPCore
internal import JSON
internal import PushEngine

/// `POST /reset`: deletes messages, then devices, oldest first, then everything else. What is made after the call began
/// stays, except faults, media and tracking. It can leave the messages, so that a report at the end of all tests has them.
final class Reset: SlicedCall {
    private let app: String?
    /// Nil if the messages stay.
    private let removal: MessageRemoval?
    /// The generation of the newest device that it deletes.
    private let newest: Int
    /// The generation at which to look for the next device.
    private var next = 0
    private var messages: Int?
    private var devices = 0

    init(_ call: ControlAPI.Call, app: String?, keepsMessages: Bool) throws(ControlProblem) {
        var filter = MessageFilter()
        if let app { try filter.add(.app, app) }
        self.app = app
        removal = keepsMessages ? nil : MessageRemoval(call, filter)
        newest = call.host.box.engine.devices.generation
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        messages = messages ?? removal.map { $0.advance(host) } ?? 0
        guard let messages, deleteDevices(host) else { return nil }
        host.box.engine.finishReset(app)
        host.scheduleWork()
        return .answer(
            .json { json in
                json.member("messages", messages)
                json.member("devices", devices)
            })
    }

    /// Deletes devices until the turn is over. True if no device is left to delete.
    private func deleteDevices(_ host: any ControlHost) -> Bool {
        repeat {
            guard let slot = host.box.engine.devices.oldest(from: next),
                host.box.engine.devices.existed(slot, atGeneration: newest)
            else { return true }
            next = host.box.engine.devices.reference(to: slot).generation + 1
            guard host.box.engine.devices.belongs(slot, to: app) else { continue }
            if host.box.engine.resetDevice(slot, at: host.now) { devices += 1 }
        } while !host.isTurnOver
        return false
    }
}
