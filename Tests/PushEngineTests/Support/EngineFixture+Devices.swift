import Devices
import JSON
import PushCore

@testable import PushEngine

/// Devices, and what clients and persons do with them.
extension EngineFixture {
    /// Makes a device. `more` has further members of its spec.
    @discardableResult func make(
        _ id: String, _ platform: Device.Platform = .ios, app: String = app, _ more: String = ""
    ) -> Bool {
        let text =
            #"{"id":"\#(id)","platform":"\#(platform.rawValue)","app":"\#(app)"\#(more.isEmpty ? "" : ",")\#(more)}"#
        guard let spec = try? DeviceSpec(Self.json(text), at: "") else { return false }
        return engine.makeDevice(spec, at: now) != nil
    }

    /// Makes a device, and forgets that it appeared.
    func silently(_ body: () throws -> Void) rethrows {
        try body()
        _ = take()
    }

    func slot(_ id: String) -> Int {
        guard let slot = engine.devices.slot(of: DeviceID(id)) else { preconditionFailure("no device '\(id)'") }
        return slot
    }

    func device(_ id: String) -> Device { engine.devices[slot(id)] }
    func apnsToken(_ id: String) -> String { device(id).apnsToken?.hex ?? "" }
    func fcmToken(_ id: String) -> String { device(id).fcmToken }

    /// Does what a client asks of a device. Returns why it can't be done.
    @discardableResult func perform(_ command: DeviceCommand, on id: String) -> DeviceProblem? {
        do throws(DeviceProblem) {
            try engine.perform(command, on: slot(id), at: now)
            return nil
        } catch { return error }
    }

    @discardableResult func set(_ id: String, _ patch: String) -> DeviceProblem? {
        perform(.patchState(Self.json(patch), pointer: "/set"), on: id)
    }

    @discardableResult func uninstall(_ id: String) -> DeviceProblem? { perform(.uninstall, on: id) }
    @discardableResult func install(_ id: String) -> DeviceProblem? { perform(.install, on: id) }

    /// The device subscribes to topics as its SDK does.
    func subscribe(_ id: String, to topics: String...) {
        for topic in topics { perform(.setTopic(topic, isSubscribed: true), on: id) }
    }

    func delete(_ id: String) { engine.deleteDevice(slot(id), at: now) }

    func watch(
        _ id: String, _ client: UInt32 = 1, _ wants: PushEngine.RequestedFrames = [.push, .event],
        isOfflineWhenDisconnected: Bool = false,
        usesManualAck: Bool = false
    ) {
        engine.join(
            slot(id),
            PushEngine.Viewer(
                connection: ClientID(slot: client, generation: 1), wants: wants,
                isOfflineWhenDisconnected: isOfflineWhenDisconnected,
                usesManualAck: usesManualAck),
            at: now)
    }

    func leave(_ id: String, _ client: UInt32 = 1) {
        engine.leave(slot(id), ClientID(slot: client, generation: 1), at: now)
    }

    static func json(_ text: String) -> JSONView {
        guard let document = try? JSONDocument(parsing: Array(text.utf8)) else {
            preconditionFailure("no JSON: \(text)")
        }
        return document.root
    }
}
