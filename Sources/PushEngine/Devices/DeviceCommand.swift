package import Devices
package import JSON
package import PushCore

/// A command from a client to a device. The device socket and the control API only decode it, so both behave the same.
package enum DeviceCommand {
    /// The client has received these pushes, or all pushes up to an event.
    case acknowledge([PushID])
    case acknowledgeUpTo(UInt64)
    /// The app's handler failed. The push is not sent again.
    case reject(PushID, code: Int64)
    /// A patch of the device's state, and the JSON pointer to the patch in the client's message.
    case patchState(JSONView, pointer: String)
    case setChannel(String, isSubscribed: Bool)
    case setTopic(String, isSubscribed: Bool)
    /// A new token. Without a kind, it is the app's own token.
    case rotateToken(Provider, TokenKind? = nil)
    case deleteToken(Provider, TokenKind? = nil)
    case act(UserAction)
    case clearAll, launch, forceQuit, uninstall, install
    /// The result of the client's own service extension for a push.
    case extensionResult(PushID, ExtensionResult)

    /// Whether the app must be installed.
    fileprivate var requiresApp: Bool {
        switch self {
        case .rotateToken, .deleteToken, .launch, .forceQuit, .uninstall: true
        case .acknowledge, .acknowledgeUpTo, .reject, .patchState, .setChannel, .setTopic, .act, .clearAll, .install,
            .extensionResult:
            false
        }
    }
}

extension PushEngine {
    /// Carries out a command for a device.
    package mutating func perform(_ command: DeviceCommand, on slot: Int, at now: Timestamp) throws(DeviceProblem) {
        try requireSimulation(slot)
        if command.requiresApp { try requireInstalledApp(slot) }
        switch command {
        case .acknowledge(let pushes): for push in pushes { watches[slot].inbox.acknowledge(push) }
        case .acknowledgeUpTo(let seq): watches[slot].inbox.acknowledge(upTo: seq)
        case .reject(let push, let code):
            watches[slot].inbox.acknowledge(push)
            let detail = Event.Detail.fields([("name", .string("nack")), ("code", .int(code))])
            append(DeviceEvent(.callback, push: push), detail: detail, slot, at: now)
        case .patchState(let patch, let pointer): try patchState(slot, patch, under: pointer, at: now)
        case .setChannel(let channel, let isSubscribed):
            try refuse(subscribe(channel, isSubscribed, slot, at: now), at: "/id")
        case .setTopic(let topic, let isSubscribed):
            try refuse(setTopic(topic, isSubscribed, slot, at: now), at: "/name")
        case .rotateToken(let provider, let kind):
            try refuse(changeToken(provider, kind, rotates: true, slot, at: now), at: "/provider")
        case .deleteToken(let provider, let kind):
            try refuse(changeToken(provider, kind, rotates: false, slot, at: now), at: "/provider")
        case .act(let act): try perform(act, slot, at: now)
        case .clearAll: simulate(.clearAll, slot, at: now)
        case .launch: launch(slot, at: now)
        case .forceQuit: simulate(.forceQuit, slot, at: now)
        case .uninstall: uninstall(slot, at: now)
        case .install: try install(slot, at: now)
        case .extensionResult(let push, let result):
            guard devices.awaitsExtension(for: push, at: slot) else {
                throw DeviceProblem(
                    pointer: "/push",
                    message:
                        "No extension is waiting for a result for '\(push)'. Only a device whose extension has the script 'remote' waits for a result from its client."
                )
            }
            simulate(.extensionResult(push, result), slot, at: now)
        }
    }

    private func refuse(_ problem: String?, at pointer: String) throws(DeviceProblem) {
        if let problem { throw DeviceProblem(pointer: pointer, message: problem) }
    }

    private func requireSimulation(_ slot: Int) throws(DeviceProblem) {
        guard let receiver = devices[slot].receiver else { return }
        throw DeviceProblem(
            pointer: "",
            message: "\(devices.id(at: slot)) is a real \(receiver.client), not a simulation: do this in the "
                + "browser or app itself.")
    }

    private func requireInstalledApp(_ slot: Int) throws(DeviceProblem) {
        guard devices[slot].isAppRemoved else { return }
        throw DeviceProblem(pointer: "/type", message: "The app is not on the device. Send 'install' first.")
    }
}
