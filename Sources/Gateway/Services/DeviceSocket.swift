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
    /// The device it watches.
    private var device: DeviceRef?
    /// The socket is the device's own connection: without it the device is offline.
    private var isPhone = false

    init(_ id: ConnectionID, _ gateway: Gateway) {
        self.id = id
        self.gateway = gateway
    }

    /// The device's, for people.
    var name: String? { place.map { gateway.engine.devices.id(at: $0).description } }

    /// Nil before `hello`, and after the device was deleted.
    private var place: Int? { device.flatMap { gateway.engine.devices.place(of: $0) } }

    /// A client has said `hello`.
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
                        DeviceFrame.error("unknownType", "'\(type)' is no type of message: send one of \(known).", ref))
                }
                guard device != nil else { return .reply(DeviceFrame.error("noHello", "Say 'hello' first.", ref)) }
                guard let place else { return .close(.deleted, "the device was deleted") }
                try gateway.engine.perform(try call.command(message), on: place, at: gateway.clock.now)
                return .reply(DeviceFrame.ok(ref))
            }
        } catch {
            let code = error.pointer.hasPrefix("/device") ? "badDevice" : "badMessage"
            return .reply(DeviceFrame.error(code, error.message, ref, pointer: error.pointer))
        }
    }

    func detach() {
        guard let place else { return }
        device = nil
        gateway.engine.leave(place, id, at: gateway.clock.now)
        gateway.workLater()
    }

    private func hello(_ message: JSONView) throws(DeviceProblem) -> Reaction {
        guard device == nil, let json = message["device"] else {
            return .reply(DeviceFrame.error("badMessage", "'hello' comes once, with a 'device'.", message["ref"]))
        }
        let spec = try DeviceSpec(json, at: "/device")
        let wants = try Self.wants(message["wants"])
        let isPhone = try Self.flag(message, "offlineWhenDisconnected")
        let isManual = try Self.flag(message, "manualAck")
        let isExclusive = try Self.flag(message, "exclusive")
        let after = try Self.resumption(message["resume"])
        let known = spec.id.flatMap { gateway.engine.devices.place(of: $0) }
        if known == nil, spec.id != nil, spec.platform == nil, spec.app == nil {
            return .close(.unknownDevice, "no such device; a new one needs 'platform' and 'app'")
        }
        if known == nil {
            try spec.requireComplete(at: "/device")
            try gateway.engine.devices.requireUnusedTokens(spec, at: "/device")
        }
        guard let found = known ?? gateway.engine.makeDevice(spec, at: gateway.clock.now) else {
            return .reply(
                DeviceFrame.error("noRoom", gateway.engine.devices.noRoomMessage, message["ref"]))
        }
        device = gateway.engine.devices.reference(to: found)
        if isExclusive { replaceOthers(found) }
        let seq = gateway.engine.events.newest
        let oldest = seq - UInt64(gateway.engine.events.count)
        // A client that acknowledges gets again what it has not, even where it does not say after which number.
        let start = after ?? (isManual && !gateway.engine.watches[found].inbox.entries.isEmpty ? seq : nil)
        let viewer = PushEngine.Viewer(
            connection: id, wants: start == nil ? wants : [], isPhone: isPhone, isManual: isManual)
        gateway.engine.join(found, viewer, at: gateway.clock.now)
        if let start {
            // What the log has forgotten is counted in `missed`; the rest is told.
            gateway.beginReplay(viewer, found, after: max(min(start, seq), oldest), wants: wants)
            gateway.workLater()
        }
        // A number that has not been yet is of another gateway's life.
        let missed = known == nil ? nil : after.flatMap { $0 > seq ? nil : oldest > $0 ? oldest - $0 : 0 }
        let ignored = ignored(in: message, json, by: gateway.engine.devices[found], isKnown: known != nil)
        return .reply(
            DeviceFrame.welcome(gateway.engine.devices[found], seq, missed: missed, ignored, message["ref"], gateway))
    }

    private static let members: Set<String> = [
        "type", "device", "wants", "resume", "manualAck", "offlineWhenDisconnected", "exclusive", "ref",
    ]

    /// Where something was said that nothing was made of: it may be mistyped, or of a device that is there already. A
    /// `welcome`'s device may be said as it came.
    private func ignored(in message: JSONView, _ spec: JSONView, by device: Device, isKnown: Bool) -> [String] {
        func pointers(_ json: JSONView, _ at: String, where isTaken: (String, JSONView) -> Bool) -> [String] {
            var pointers: [String] = []
            for (key, value) in json.members
            where !isTaken(key.string ?? "", value) && pointers.count < Self.ignoredLimit {
                pointers.append(at + FieldReader.escaped(key.shortened))
            }
            return pointers
        }
        return pointers(message, "") { key, _ in Self.members.contains(key) }
            + pointers(spec, "/device") { key, value in
                switch key {
                case "platform": !isKnown || value.string == device.platform.rawValue
                case "app": !isKnown || value.string == device.app
                case "tokens": !isKnown || Self.isOwn(value, of: device)
                case "id", "name", "badge", "shade", "connected", "installed": true
                default: !isKnown && ControlAPI.specKeys.contains(key)
                }
            }
    }

    private static let ignoredLimit = 20

    /// They are the device's own tokens.
    private static func isOwn(_ tokens: JSONView, of device: Device) -> Bool {
        func isOwn(_ provider: String, _ own: String?) -> Bool {
            guard let said = tokens[provider] else { return true }
            return said["token"]?.string == own
        }
        return isOwn("apns", device.apnsToken?.hex) && isOwn("fcm", device.fcmToken)
    }

    /// Whoever else watches the device has to go.
    private func replaceOthers(_ device: Int) {
        for other in gateway.engine.watches[device].viewers {
            guard let connection = gateway.connections[other.connection],
                case .webSocket(let channel) = connection.layer
            else { continue }
            channel.end(.replaced, "another client has taken the device over")
            connection.flush()
        }
    }

    private static func resumption(_ json: JSONView?) throws(DeviceProblem) -> UInt64? {
        guard let json, !json.isNull else { return nil }
        guard json.kind == .object, let after = json["after"]?.uint64, after < 1 << 53 else {
            throw DeviceProblem(
                pointer: "/resume/after",
                message: "'resume' must be like {\"after\":17}, with a number that a frame had as 'seq'.")
        }
        return after
    }

    private static func wants(_ json: JSONView?) throws(DeviceProblem) -> PushEngine.Wants {
        guard let json, !json.isNull else { return [.push, .event] }
        let words: [String: PushEngine.Wants] = ["push": .push, "event": .event, "raw": [.push, .raw]]
        var wants: PushEngine.Wants = []
        for element in json.elements {
            guard let known = element.string.flatMap({ words[$0] }) else {
                throw DeviceProblem(pointer: "/wants", message: "'wants' takes push, event and raw.")
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
