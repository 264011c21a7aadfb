internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import WebSocket

/// The device protocol `pushpit.device.v1` on one socket: messages in, messages out.
final class DeviceSocket {
    enum Reaction {
        case reply([UInt8])
        case close(CloseCode, String)
    }

    static let subprotocol = "pushpit.device.v1"

    private let id: ConnectionID
    private unowned let gateway: Gateway
    /// The place of the device it watches.
    private var device: Int?

    init(_ id: ConnectionID, _ gateway: Gateway) {
        self.id = id
        self.gateway = gateway
    }

    /// The answer to the request that opens a socket.
    static func open(_ request: Request) -> Outcome {
        let headers = request.headers
        // HTTP/2 has no Upgrade field, and no 426 without it.
        guard request.version != .http2 else { return .answer(Answers.noSocketHere) }
        guard request.version == .http11, headers.first(.upgrade) != nil else { return .answer(upgradeRequired) }
        // Several fields are one list (RFC 9110 §5.3).
        let offered = headers.filter { $0.name.elementsEqual(HeaderName.webSocketProtocol.bytes) }
            .map(\.value).joined(separator: [UInt8(ascii: ",")])
        let verdict = Handshake.judge(
            key: headers.first(.webSocketKey), version: headers.first(.webSocketVersion),
            offered: Array(offered)[...], speaks: subprotocol)
        switch verdict {
        case .accept(let key, let chosen):
            var answer = HeaderBlock([.upgrade: "websocket", .connection: "Upgrade", .webSocketAccept: key])
            if let chosen { answer.append(.webSocketProtocol, chosen) }
            return .upgrade(Response(status: 101, headers: answer))
        case .refuse(let status, let reason):
            var answer = status == 426 ? upgradeRequired : Response(status: status)
            answer.body = .bytes(Array((reason + "\n").utf8))
            if status == 426 {
                answer.headers.append(.webSocketVersion, "13")
            } else {
                answer.headers.append(.contentType, "text/plain; charset=utf-8")
            }
            return .answer(answer)
        }
    }

    static let upgradeRequired = Response(
        status: 426,
        headers: HeaderBlock([
            .connection: "Upgrade", .upgrade: "websocket", .contentType: "text/plain; charset=utf-8",
        ]), body: .bytes(Array("Open this as a WebSocket, over HTTP/1.1.\n".utf8)))

    /// A client has said `hello`.
    var isGreeted: Bool { device != nil }

    func receive(_ text: [UInt8]) -> Reaction {
        guard let message = try? JSONDocument(parsing: text).root, let type = message["type"]?.string else {
            return .reply(error("badMessage", "Send a JSON object with a 'type'.", nil))
        }
        switch type {
        case "hello": return hello(message)
        case "uninstall":
            guard let device else { return .reply(error("noHello", "Say 'hello' first.", message["ref"])) }
            gateway.desk.uninstall(device, at: gateway.clock.now)
            return .reply(done(message["ref"]))
        case "ping": return .reply(object { $0.member("type", "pong") })
        default: return .reply(error("unknownType", "'\(type)' is no type of message.", message["ref"]))
        }
    }

    func detach() {
        guard let device else { return }
        self.device = nil
        gateway.desk.viewers[device]?.removeAll { $0 == id }
        if gateway.desk.viewers[device]?.isEmpty == true { gateway.desk.viewers[device] = nil }
    }

    private func hello(_ message: JSONView) -> Reaction {
        guard device == nil, let json = message["device"] else {
            return .reply(error("badMessage", "'hello' comes once, with a 'device'.", message["ref"]))
        }
        do throws(DeviceSpec.Problem) {
            let spec = try DeviceSpec(json, at: "/device")
            let known = spec.id.flatMap { gateway.desk.devices.place(of: $0) }
            if known == nil, spec.id != nil, spec.platform == nil, spec.app == nil {
                return .close(.unknownDevice, "no such device; a new one needs 'platform' and 'app'")
            }
            if known == nil { try spec.demandWhole(at: "/device") }
            guard let found = known ?? gateway.desk.makeDevice(spec, at: gateway.clock.now) else {
                return .reply(error("noRoom", "There are as many watched devices as there may be.", message["ref"]))
            }
            device = found
            gateway.desk.viewers[found, default: []].append(id)
            return .reply(welcome(gateway.desk.devices[found]))
        } catch {
            return .reply(self.error("badDevice", error.message, message["ref"], pointer: error.pointer))
        }
    }

    private func welcome(_ device: Device) -> [UInt8] {
        object { json in
            json.member("type", "welcome")
            json.key("device")
            json.object { json in
                json.member("id", device.id.description)
                json.member("platform", device.platform.rawValue)
                json.member("app", device.app)
                json.member("name", device.name)
                json.key("tokens")
                json.object { json in
                    guard let token = device.apnsToken else { return }
                    json.key("apns")
                    json.object { json in
                        json.member("token", token.hex)
                        json.member("topic", device.app)
                    }
                }
                json.member("connected", true)
            }
            json.member("seq", gateway.desk.events.newest)
            json.member("resumed", false)
            json.member("missed", 0)
            json.member("heartbeat", durationText(gateway.configuration.heartbeat))
            json.member("serverTime", gateway.clock.now.description)
        }
    }

    private func done(_ ref: JSONView?) -> [UInt8] {
        object { json in
            json.member("type", "ok")
            if let ref { json.member("ref", ref) }
        }
    }

    private func error(_ code: String, _ message: String, _ ref: JSONView?, pointer: String? = nil) -> [UInt8] {
        object { json in
            json.member("type", "error")
            json.member("code", code)
            json.member("message", message)
            if let pointer { json.member("pointer", pointer) }
            if let ref { json.member("ref", ref) }
        }
    }

    /// As people write durations: `30s`, `250ms`.
    private func durationText(_ milliseconds: UInt64) -> String {
        milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }

    private func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(body)
        return json.finish()
    }
}

extension HeaderName {
    static let webSocketKey = HeaderName("sec-websocket-key")
    static let webSocketVersion = HeaderName("sec-websocket-version")
    static let webSocketProtocol = HeaderName("sec-websocket-protocol")
    static let webSocketAccept = HeaderName("sec-websocket-accept")
}
