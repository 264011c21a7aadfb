internal import ControlAPI
internal import Devices
internal import JSON
internal import PushCore
internal import PushEngine
internal import WebSocket

/// The device protocol `pushpit.device.v1` on one socket: messages in, messages out.
package final class DeviceSocket {
    enum Reaction {
        case reply([UInt8])
        case close(CloseCode, String)
    }

    static let subprotocol = WireNames.deviceSubprotocol

    private let id: ConnectionID
    private unowned let gateway: Gateway
    /// The device that it watches.
    private var device: DeviceRef?

    init(_ id: ConnectionID, _ gateway: Gateway) {
        self.id = id
        self.gateway = gateway
    }

    /// The device's id, for the log.
    var name: String? { slot.map { gateway.box.engine.devices.id(at: $0).description } }

    /// Nil before `hello`, and after the device was deleted.
    private var slot: Int? { device.flatMap { gateway.box.engine.devices.slot(of: $0) } }

    /// Whether the client has sent a valid `hello`.
    var isGreeted: Bool { device != nil }

    func receive(_ text: [UInt8]) -> Reaction {
        guard let message = try? JSONDocument(parsing: text).root, let type = message["type"]?.string else {
            return .reply(DeviceFrame.error("badMessage", "Send a JSON object with a 'type'.", nil))
        }
        let ref = message["ref"]
        do throws(DeviceProblem) {
            switch type {
            case "hello": return try hello(message)
            case "ping":
                gateway.flushOutbox()
                return .reply(DeviceFrame.object("pong") { json in if let ref { json.member("ref", ref) } })
            default:
                guard let call = DeviceCall(rawValue: type) else {
                    let known = (["hello", "ping"] + DeviceCall.allCases.map(\.rawValue)).joined(separator: ", ")
                    return .reply(
                        DeviceFrame.error("unknownType", "'\(type)' is not a message type. Use one of \(known).", ref))
                }
                guard device != nil else { return .reply(DeviceFrame.error("noHello", "Send 'hello' first.", ref)) }
                guard let slot else { return .close(.deleted, "the device was deleted") }
                try gateway.box.engine.perform(try call.command(message), on: slot, at: gateway.clock.now)
                return .reply(DeviceFrame.ok(ref))
            }
        } catch {
            let code = error.pointer.hasPrefix("/device") ? "badDevice" : "badMessage"
            return .reply(DeviceFrame.error(code, error.message, ref, pointer: error.pointer))
        }
    }

    func detach() {
        guard let slot else { return }
        device = nil
        gateway.box.engine.leave(slot, id, at: gateway.clock.now)
        gateway.scheduleWork()
    }

    private func hello(_ message: JSONView) throws(DeviceProblem) -> Reaction {
        guard device == nil, let json = message["device"] else {
            return .reply(DeviceFrame.error("badMessage", "Send 'hello' once, with a 'device'.", message["ref"]))
        }
        let spec = try DeviceSpec(json, at: "/device")
        let wants = try Self.wants(message["wants"])
        let isOfflineWhenDisconnected = try Self.flag(message, "offlineWhenDisconnected")
        let usesManualAck = try Self.flag(message, "manualAck")
        let isExclusive = try Self.flag(message, "exclusive")
        let after = try Self.resumption(message["resume"])
        let known = spec.id.flatMap { gateway.box.engine.devices.slot(of: $0) }
        if known == nil, spec.id != nil, spec.platform == nil, spec.app == nil {
            return .close(.unknownDevice, "this device does not exist; a new one needs 'platform' and 'app'")
        }
        if known == nil {
            try spec.requireComplete(at: "/device")
            try gateway.box.engine.devices.requireUnusedTokens(spec, at: "/device")
        }
        guard let found = known ?? gateway.box.engine.makeDevice(spec, at: gateway.clock.now) else {
            return .reply(
                DeviceFrame.error("noRoom", gateway.box.engine.devices.limitMessage, message["ref"]))
        }
        device = gateway.box.engine.devices.reference(to: found)
        if isExclusive { replaceOthers(found) }
        let seq = gateway.box.engine.events.newest
        let oldest = gateway.box.engine.events.forgottenUpTo(in: .main)
        // A client that acknowledges pushes itself gets the unacknowledged ones again, even if `hello` names no event
        // to resume after.
        let start = after ?? (usesManualAck && !gateway.box.engine.watches[found].inbox.entries.isEmpty ? seq : nil)
        let viewer = PushEngine.Viewer(
            connection: id, wants: start == nil ? wants : [], isOfflineWhenDisconnected: isOfflineWhenDisconnected,
            usesManualAck: usesManualAck)
        gateway.box.engine.join(found, viewer, at: gateway.clock.now)
        if let start {
            // Events that are no longer in the log are counted in `missed`; the others are replayed.
            gateway.beginReplay(viewer, found, after: max(min(start, seq), oldest), wants: wants)
            gateway.scheduleWork()
        }
        // A number above the newest event comes from an earlier run of the gateway.
        let missed = known == nil ? nil : after.flatMap { $0 > seq ? nil : oldest > $0 ? oldest - $0 : 0 }
        let ignored = ignored(in: message, json, by: gateway.box.engine.devices[found], isKnown: known != nil)
        let welcome = DeviceFrame.Welcome(
            seq: seq, missed: missed, ignored: ignored, ref: message["ref"],
            heartbeat: gateway.configuration.heartbeat, now: gateway.clock.now)
        return .reply(DeviceFrame.welcome(gateway.box.engine.devices[found], welcome, base: gateway.url))
    }

    private static let members: Set<String> = [
        "type", "device", "wants", "resume", "manualAck", "offlineWhenDisconnected", "exclusive", "ref",
    ]

    /// Pointers to members without effect, for `welcome.ignored`: unknown members, and properties of a device that
    /// exists already. If the client copies `device` from a `welcome`, only `state` and a browser's `subscription` are listed.
    private func ignored(in message: JSONView, _ spec: JSONView, by device: Device, isKnown: Bool) -> [String] {
        func pointers(_ json: JSONView, _ at: String, unless isUsed: (String, JSONView) -> Bool) -> [String] {
            var pointers: [String] = []
            for (key, value) in json.members
            where !isUsed(key.string ?? "", value) && pointers.count < Self.ignoredLimit {
                pointers.append(at + FieldReader.escaped(key.shortened))
            }
            return pointers
        }
        return pointers(message, "") { key, _ in Self.members.contains(key) }
            + pointers(spec, "/device") { key, value in
                switch key {
                case "platform": !isKnown || value.string == device.platform.rawValue
                case "app": !isKnown || value.string == device.app
                case "tokens": !isKnown || Self.areTokens(value, of: device)
                case "tracking": !isKnown || value["profile"]?.string == device.trackingProfile
                case "id", "name", "badge", "shade", "connected", "installed", "receiver": true
                default: !isKnown && ControlAPI.specKeys.contains(key)
                }
            }
    }

    private static let ignoredLimit = 20

    /// Whether these are the tokens that the device has.
    private static func areTokens(_ tokens: JSONView, of device: Device) -> Bool {
        func matches(_ provider: String, _ token: String?) -> Bool {
            guard let given = tokens[provider] else { return true }
            return given["token"]?.string == token
        }
        return matches("apns", device.apnsToken?.hex) && matches("fcm", device.fcmToken)
            && TokenKind.allCases.allSatisfy { matches($0.rawValue, device.otherTokens[$0]?.hex) }
    }

    /// Closes all other sockets that watch the device.
    private func replaceOthers(_ device: Int) {
        for other in gateway.box.engine.watches[device].viewers {
            guard let connection = gateway.connections[other.connection],
                case .webSocket(let channel) = connection.layer
            else { continue }
            channel.close(.replaced, "another client has taken over the device")
            connection.flush()
        }
    }

    private static func resumption(_ json: JSONView?) throws(DeviceProblem) -> UInt64? {
        guard let json, !json.isNull else { return nil }
        guard json.kind == .object, let after = json["after"]?.uint64, after < 1 << 53 else {
            throw DeviceProblem(
                pointer: "/resume/after",
                message: "'resume' must be an object such as {\"after\":17}, with the 'seq' of a frame.")
        }
        return after
    }

    private static func wants(_ json: JSONView?) throws(DeviceProblem) -> PushEngine.RequestedFrames {
        guard let json, !json.isNull else { return [.push, .event] }
        let words: [String: PushEngine.RequestedFrames] = ["push": .push, "event": .event, "raw": [.push, .raw]]
        var wants: PushEngine.RequestedFrames = []
        for element in json.elements {
            guard let known = element.string.flatMap({ words[$0] }) else {
                throw DeviceProblem(pointer: "/wants", message: "'wants' may contain push, event and raw.")
            }
            wants.formUnion(known)
        }
        guard json.kind == .array else { throw DeviceProblem(pointer: "/wants", message: "'wants' must be an array.") }
        return wants
    }

    private static func flag(_ message: JSONView, _ key: String) throws(DeviceProblem) -> Bool {
        guard let json = message[key], !json.isNull else { return false }
        guard let value = json.bool else {
            throw DeviceProblem(pointer: "/\(key)", message: "'\(key)' must be true or false.")
        }
        return value
    }
}
