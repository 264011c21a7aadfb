internal import PushEngine
internal import Devices
internal import JSON
internal import PushCore

/// What a client may say of its device once it has said hello (protocol.md).
enum DeviceCall: String, CaseIterable {
    case ack, nack, state, channel, topic, token, act, clearAll, launch, forceQuit, uninstall, install, extensionResult

    func perform(_ message: JSONView, on device: Int, _ gateway: Gateway) throws(DeviceProblem) {
        let now = gateway.clock.now
        if needsApp { try gateway.engine.requireInstalledApp(device) }
        switch self {
        case .ack: try Self.acknowledge(gateway, device, message)
        case .nack: try Self.refuse(gateway, device, message)
        case .state: try Self.changeState(gateway, device, message)
        case .channel: try Self.hearChannel(gateway, device, message)
        case .topic: try Self.changeTopic(gateway, device, message)
        case .token: try Self.changeToken(gateway, device, message)
        case .act: try gateway.engine.perform(try PersonAct(message), device, at: now)
        case .clearAll: gateway.engine.simulate(.clearAll, device, at: now)
        case .launch: gateway.engine.launch(device, at: now)
        case .forceQuit: gateway.engine.simulate(.forceQuit, device, at: now)
        case .uninstall: gateway.engine.uninstall(device, at: now)
        case .install: try gateway.engine.install(device, at: now)
        case .extensionResult: try Self.answerForExtension(gateway, device, message)
        }
    }

    private var needsApp: Bool {
        switch self {
        case .token, .launch, .forceQuit, .uninstall: true
        case .ack, .nack, .state, .channel, .topic, .act, .clearAll, .install, .extensionResult: false
        }
    }

    private static func changeState(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        guard let patch = message["set"] else {
            throw DeviceProblem(pointer: "/set", message: "'state' needs 'set', for example {\"online\":false}.")
        }
        try gateway.engine.patchState(device, patch, at: gateway.clock.now)
    }

    private static func hearChannel(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        let isWanted = try wish(message)
        let channel = try text(message, "id", "a channel's id, as apns-channel-id has it")
        if let problem = gateway.engine.subscribe(channel, isWanted, device, at: gateway.clock.now) {
            throw DeviceProblem(pointer: "/id", message: problem)
        }
    }

    private static func changeTopic(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        let isWanted = try wish(message)
        let name = try text(message, "name", "a topic's name, like 'news'")
        if let problem = gateway.engine.setTopic(name, isWanted, device, at: gateway.clock.now) {
            throw DeviceProblem(pointer: "/name", message: problem)
        }
    }

    private static func acknowledge(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        if let code = message["code"], !code.isNull, !(100...102 ~= code.exactInteger ?? 0) {
            throw DeviceProblem(pointer: "/code", message: "'code' must be 100, 101 or 102.")
        }
        if let seq = message["upTo"]?.uint64 { return gateway.engine.watches[device].inbox.acknowledge(upTo: seq) }
        guard let ids = message["ids"], ids.kind == .array else {
            throw DeviceProblem(pointer: "/ids", message: "'ack' needs 'ids' of pushes, or 'upTo' with a 'seq'.")
        }
        for id in ids.elements {
            let push = try push(id.string, at: "/ids")
            gateway.engine.watches[device].inbox.acknowledge(push)
        }
    }

    /// The app's handler has failed: it is told, and the push does not come again.
    private static func refuse(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        let id = try push(message["id"]?.string, at: "/id")
        guard let code = message["code"]?.exactInteger, 301...303 ~= code else {
            throw DeviceProblem(pointer: "/code", message: "'code' must be 301, 302 or 303.")
        }
        gateway.engine.watches[device].inbox.acknowledge(id)
        gateway.engine.append(
            .callback, device, push: id, detail: .fields([("name", .string("nack")), ("code", .int(code))]),
            at: gateway.clock.now)
    }

    private static func push(_ name: String?, at pointer: String) throws(DeviceProblem) -> PushID {
        guard let name, name.hasPrefix("p"), let number = UInt64(name.dropFirst()) else {
            throw DeviceProblem(pointer: pointer, message: "Name pushes as their frames do, like 'p7'.")
        }
        return PushID(number)
    }

    private static func changeToken(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem) {
        let wishes = ["rotate": true, "delete": false]
        guard let rotates = message["op"]?.string.flatMap({ wishes[$0] }) else {
            throw DeviceProblem(pointer: "/op", message: "'op' must be rotate or delete.")
        }
        guard let provider = message["provider"]?.string.flatMap(Provider.init(rawValue:)) else {
            throw DeviceProblem(pointer: "/provider", message: "'provider' must be apns or fcm.")
        }
        if let problem = gateway.engine.changeToken(provider, rotates: rotates, device, at: gateway.clock.now) {
            throw DeviceProblem(pointer: "/provider", message: problem)
        }
    }

    private static func answerForExtension(_ gateway: Gateway, _ device: Int, _ message: JSONView) throws(DeviceProblem)
    {
        let id = try push(message["push"]?.string, at: "/push")
        guard gateway.engine.devices.awaitsExtension(for: id, at: device) else {
            throw DeviceProblem(
                pointer: "/push", message: "No extension works on '\(id)'; only the script 'remote' waits for a client."
            )
        }
        let result: ExtensionResult
        if message["crash"]?.bool == true {
            result = .crash
        } else if message["timeout"]?.bool == true {
            result = .timeout
        } else if let content = message["content"], content.kind == .object {
            result = .content(
                title: content["title"]?.string, subtitle: content["subtitle"]?.string, body: content["body"]?.string)
        } else {
            throw DeviceProblem(
                pointer: "/content",
                message: "Send 'content' with title, subtitle or body, or 'timeout' or 'crash': true.")
        }
        gateway.engine.simulate(.extensionResult(id, result), device, at: gateway.clock.now)
    }

    private static func wish(_ message: JSONView) throws(DeviceProblem) -> Bool {
        let wishes = ["subscribe": true, "unsubscribe": false]
        guard let isWanted = message["op"]?.string.flatMap({ wishes[$0] }) else {
            throw DeviceProblem(pointer: "/op", message: "'op' must be subscribe or unsubscribe.")
        }
        return isWanted
    }

    private static func text(_ message: JSONView, _ key: String, _ what: String) throws(DeviceProblem) -> String {
        guard let text = message[key]?.string else {
            throw DeviceProblem(pointer: "/\(key)", message: "'\(key)' must be \(what).")
        }
        return text
    }
}
