internal import Devices
internal import JSON
internal import PushCore
internal import PushEngine

/// The messages of a device socket after `hello` (docs/devices.md): each is decoded into a command for the engine.
enum DeviceCall: String, CaseIterable {
    case ack, nack, state, channel, topic, token, act, clearAll, launch, forceQuit, uninstall, install, extensionResult

    func command(_ message: JSONView) throws(DeviceProblem) -> DeviceCommand {
        switch self {
        case .ack: try Self.readAcknowledgement(message)
        case .nack: try Self.readRejection(message)
        case .state: try Self.readState(message)
        case .channel: try Self.readChannel(message)
        case .topic: try Self.readTopic(message)
        case .token: try Self.readTokenChange(message)
        case .act: .act(try UserAction(message))
        case .clearAll: .clearAll
        case .launch: .launch
        case .forceQuit: .forceQuit
        case .uninstall: .uninstall
        case .install: .install
        case .extensionResult: try Self.readExtensionResult(message)
        }
    }

    private static func readChannel(_ message: JSONView) throws(DeviceProblem) -> DeviceCommand {
        let isSubscribed = try operation(message, "subscribe", "unsubscribe")
        let id = try text(message, "id", "the id of a channel, as in apns-channel-id")
        return .setChannel(id, isSubscribed: isSubscribed)
    }

    private static func readTopic(_ message: JSONView) throws(DeviceProblem) -> DeviceCommand {
        let isSubscribed = try operation(message, "subscribe", "unsubscribe")
        let name = try text(message, "name", "the name of a topic, for example 'news'")
        return .setTopic(name, isSubscribed: isSubscribed)
    }

    private static func readState(_ message: JSONView) throws(DeviceProblem) -> DeviceCommand {
        guard let patch = message["set"] else {
            throw DeviceProblem(pointer: "/set", message: "'state' needs 'set', for example {\"online\":false}.")
        }
        return .patchState(patch, pointer: "/set")
    }

    private static func readAcknowledgement(_ message: JSONView) throws(DeviceProblem) -> DeviceCommand {
        if let code = message["code"], !code.isNull, !(100...102 ~= code.exactInteger ?? 0) {
            throw DeviceProblem(pointer: "/code", message: "'code' must be 100, 101 or 102.")
        }
        if let seq = message["upTo"]?.uint64 { return .acknowledgeUpTo(seq) }
        guard let ids = message["ids"], ids.kind == .array else {
            throw DeviceProblem(pointer: "/ids", message: "'ack' needs 'ids' of pushes, or 'upTo' with a 'seq'.")
        }
        var pushes: [PushID] = []
        for id in ids.elements { pushes.append(try push(id.string, at: "/ids")) }
        return .acknowledge(pushes)
    }

    private static func readRejection(_ message: JSONView) throws(DeviceProblem) -> DeviceCommand {
        let id = try push(message["id"]?.string, at: "/id")
        guard let code = message["code"]?.exactInteger, 301...303 ~= code else {
            throw DeviceProblem(pointer: "/code", message: "'code' must be 301, 302 or 303.")
        }
        return .reject(id, code: code)
    }

    private static func readTokenChange(_ message: JSONView) throws(DeviceProblem) -> DeviceCommand {
        let rotates = try operation(message, "rotate", "delete")
        guard let provider = message["provider"]?.string.flatMap(Provider.init(rawValue:)), provider != .webpush else {
            throw DeviceProblem(pointer: "/provider", message: "'provider' must be apns or fcm.")
        }
        var kind: TokenKind?
        if let word = message["kind"], !word.isNull {
            kind = word.string.flatMap(TokenKind.init(rawValue:))
            guard kind != nil else {
                let known = TokenKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw DeviceProblem(pointer: "/kind", message: "'kind' must be one of \(known).")
            }
        }
        return rotates ? .rotateToken(provider, kind) : .deleteToken(provider, kind)
    }

    private static func readExtensionResult(_ message: JSONView) throws(DeviceProblem) -> DeviceCommand {
        let id = try push(message["push"]?.string, at: "/push")
        if message["crash"]?.bool == true { return .extensionResult(id, .crash) }
        if message["timeout"]?.bool == true { return .extensionResult(id, .timeout) }
        guard let content = message["content"], content.kind == .object else {
            throw DeviceProblem(
                pointer: "/content",
                message: "Send 'content' with title, subtitle or body, or 'timeout' or 'crash': true.")
        }
        for (key, value) in content.members {
            let name = key.string ?? ""
            guard ["title", "subtitle", "body"].contains(name), value.isNull || value.string != nil else {
                throw DeviceProblem(
                    pointer: JSONPointer(tokens: ["content", name]).description,
                    message:
                        "'content' takes the texts title, subtitle and body, and nothing else. For an image, use the "
                        + "script firebase or adobe with 'imageKey'."
                )
            }
        }
        let result = ExtensionResult.content(
            title: content["title"]?.string, subtitle: content["subtitle"]?.string, body: content["body"]?.string)
        return .extensionResult(id, result)
    }

    private static func push(_ name: String?, at pointer: String) throws(DeviceProblem) -> PushID {
        guard let name, name.hasPrefix("p"), let number = UInt64(name.dropFirst()) else {
            throw DeviceProblem(pointer: pointer, message: "Identify a push by the id in its frame, for example 'p7'.")
        }
        return PushID(number)
    }

    /// Whether `op` is the first of two words.
    private static func operation(_ message: JSONView, _ first: String, _ second: String) throws(DeviceProblem) -> Bool
    {
        switch message["op"]?.string {
        case first: return true
        case second: return false
        default: throw DeviceProblem(pointer: "/op", message: "'op' must be \(first) or \(second).")
        }
    }

    private static func text(_ message: JSONView, _ key: String, _ meaning: String) throws(DeviceProblem) -> String {
        guard let text = message[key]?.string else {
            throw DeviceProblem(pointer: "/\(key)", message: "'\(key)' must be \(meaning).")
        }
        return text
    }
}
