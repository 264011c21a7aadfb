internal import Devices
internal import JSON
internal import PushCore

/// What a client may say of its device once it has said hello (protocol.md).
enum DeviceCall: String, CaseIterable {
    case state, channel, topic, act, clearAll, launch, forceQuit, uninstall, extensionResult

    func perform(_ message: JSONView, on device: Int, _ gateway: Gateway) throws(DeviceProblem) {
        let now = gateway.clock.now
        switch self {
        case .state: try Self.changeState(gateway, device, message)
        case .channel: try Self.hearChannel(gateway, device, message)
        case .topic: try Self.changeTopic(gateway, device, message)
        case .act: try gateway.desk.perform(try PersonAct(message), device, at: now)
        case .clearAll: gateway.desk.simulate(.clearAll, device, at: now)
        case .launch: gateway.desk.launch(device, at: now)
        case .forceQuit: gateway.desk.simulate(.forceQuit, device, at: now)
        case .uninstall: gateway.desk.uninstall(device, at: now)
        case .extensionResult: try Self.answerForExtension(gateway, device, message)
        }
    }

    private static func changeState(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        guard let patch = message["set"] else {
            throw DeviceProblem(pointer: "/set", message: "'state' needs 'set', for example {\"online\":false}.")
        }
        try gateway.desk.patchState(device, patch, at: gateway.clock.now)
    }

    private static func hearChannel(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        let isWanted = try wish(message)
        let channel = try text(message, "id", "a channel's id, as apns-channel-id has it")
        if let problem = gateway.desk.hear(channel, isWanted, device, at: gateway.clock.now) { throw DeviceProblem(pointer: "/id", message: problem) }
    }

    private static func changeTopic(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        let isWanted = try wish(message)
        let name = try text(message, "name", "a topic's name, like 'news'")
        if let problem = gateway.desk.setTopic(name, isWanted, device, at: gateway.clock.now) { throw DeviceProblem(pointer: "/name", message: problem) }
    }

    private static func answerForExtension(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        let name = try text(message, "push", "the push's id, as its frame has it")
        guard name.hasPrefix("p"), let number = UInt64(name.dropFirst()), gateway.desk.devices.awaitsExtension(for: PushID(number), at: device) else {
            throw DeviceProblem(pointer: "/push", message: "No extension works on '\(name)'; only the script 'remote' waits for a client.")
        }
        let result: ExtensionResult
        if message["crash"]?.bool == true {
            result = .crash
        } else if message["timeout"]?.bool == true {
            result = .timeout
        } else if let content = message["content"], content.kind == .object {
            result = .content(title: content["title"]?.string, subtitle: content["subtitle"]?.string, body: content["body"]?.string)
        } else {
            throw DeviceProblem(pointer: "/content", message: "Send 'content' with title, subtitle or body, or 'timeout' or 'crash': true.")
        }
        gateway.desk.simulate(.extensionResult(PushID(number), result), device, at: gateway.clock.now)
    }

    private static func wish(_ message: JSONView) throws(DeviceProblem) -> Bool {
        let wishes = ["subscribe": true, "unsubscribe": false]
        guard let isWanted = message["op"]?.string.flatMap({ wishes[$0] }) else {
            throw DeviceProblem(pointer: "/op", message: "'op' must be subscribe or unsubscribe.")
        }
        return isWanted
    }

    private static func text(_ message: JSONView, _ key: String, _ what: String) throws(DeviceProblem) -> String {
        guard let text = message[key]?.string else { throw DeviceProblem(pointer: "/\(key)", message: "'\(key)' must be \(what).") }
        return text
    }
}
