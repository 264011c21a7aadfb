internal import Devices
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore
internal import WebSocket

/// What a device socket is told, in JSON (protocol.md).
enum DeviceFrame {
    /// What the app gets of the push that was told last: many devices get the same, and it is written once.
    struct PayloadMemo {
        fileprivate var push: PushID?
        fileprivate var platform = Device.Platform.ios
        fileprivate var app = ""
        fileprivate var fid = ""
        fileprivate var payload: [UInt8] = []
        fileprivate var activityToken: String?

        fileprivate mutating func read(_ inbound: PushDesk.Inbound, _ app: String) {
            // Only Google's pushes to iPhones say whose they are.
            let fid = inbound.isGoogles && inbound.platform == .ios ? inbound.fid : ""
            if push == inbound.id, platform == inbound.platform, self.app == app, self.fid == fid { return }
            let message = inbound.isGoogles ? DeviceFrame.message(inbound) : nil
            self = PayloadMemo(
                push: inbound.id, platform: inbound.platform, app: app, fid: fid, payload: DeviceFrame.payload(message, inbound, app),
                activityToken: inbound.platform == .ios ? message?.liveActivityToken : nil)
        }
    }

    static func push(_ push: PushDesk.Inbound, as event: Event, attempt: Int, hasRaw: Bool, _ memo: inout PayloadMemo) -> [UInt8] {
        memo.read(push, event.app)
        return object("push") { json in
            json.member("seq", event.seq)
            json.member("id", push.id)
            json.member("provider", push.isGoogles ? Provider.fcm.rawValue : Provider.apns.rawValue)
            json.member("app", event.app)
            json.member("attempt", attempt)
            json.member("storedFor", push.parcel.storedFor)
            json.key("headers")
            json.object { json in
                guard push.isGoogles else { return writeHeaders(of: push.parcel.request, to: &json) }
                json.member("messageId", push.parcel.name)
                if let token = memo.activityToken { json.member("liveActivityToken", token) }
            }
            json.key("payload")
            json.raw(memo.payload)
            if hasRaw { json.member("raw", Base64.encode(push.parcel.request.body)) }
        }
    }

    static func event(_ event: Event) -> [UInt8] {
        object("event") { json in
            json.member("seq", event.seq)
            json.member("time", event.time)
            json.member("kind", event.kind.rawValue)
            if let push = event.push { json.member("push", push) }
            if let why = event.why { json.member("why", why.description) }
            json.key("data")
            event.writeData(to: &json)
        }
    }

    /// - Parameters:
    ///   - seq: of the newest event before it: whatever comes on the socket is newer, or comes again.
    ///   - missed: how many events the log has forgotten since the one to resume after; nil: nothing is resumed.
    static func welcome(_ device: Device, _ seq: UInt64, missed: UInt64?, _ ref: JSONView?, _ gateway: Gateway) -> [UInt8] {
        object("welcome") { json in
            json.key("device")
            write(device, isConnected: true, to: &json)
            json.member("seq", seq)
            json.member("resumed", missed == 0)
            json.member("missed", missed ?? 0)
            json.member("heartbeat", DurationText.text(gateway.configuration.heartbeat))
            json.member("serverTime", gateway.clock.now.description)
            if let ref { json.member("ref", ref) }
        }
    }

    static func token(_ event: Event) -> [UInt8] {
        object("token") { json in
            if case .fields(let fields) = event.detail { for (name, value) in fields { json.member(name, value) } }
        }
    }

    static func ok(_ ref: JSONView?) -> [UInt8] {
        object("ok") { json in if let ref { json.member("ref", ref) } }
    }

    static func error(_ code: String, _ message: String, _ ref: JSONView?, pointer: String? = nil) -> [UInt8] {
        object("error") { json in
            json.member("code", code)
            json.member("message", message)
            if let pointer { json.member("pointer", pointer) }
            if let ref { json.member("ref", ref) }
        }
    }

    /// Octets of a frame.
    private static let usualLength = 384

    static func object(_ type: String, _ body: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        var room: [UInt8] = []
        room.reserveCapacity(usualLength)
        var json = JSONWriter(appendingTo: room)
        json.object { json in
            json.member("type", type)
            body(&json)
        }
        return json.finish()
    }

    static func write(_ device: Device, isConnected: Bool, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", device.id.description)
            json.member("platform", device.platform.rawValue)
            json.member("app", device.app)
            json.member("name", device.name)
            json.key("tokens")
            json.object { json in
                if let token = device.apnsToken {
                    json.key("apns")
                    json.object { json in
                        json.member("token", token.hex)
                        json.member("environment", device.environment.rawValue)
                        json.member("topic", device.app)
                    }
                }
                guard !device.fcmToken.isEmpty else { return }
                json.key("fcm")
                json.object { json in
                    json.member("token", device.fcmToken)
                    json.member("fid", device.fid)
                    if let project = device.project { json.member("project", project) }
                    json.member("senderId", FCMPayload.senderID)
                }
            }
            json.key("state")
            device.state.write(to: &json)
            json.member("badge", device.phone.badge)
            json.key("shade")
            json.array { json in
                for entry in device.phone.shade.entries.reversed() { entry.write(to: &json) }
            }
            json.member("connected", isConnected)
        }
    }

    /// The fields a provider sets; its token is nobody's business.
    private static func writeHeaders(of request: Request, to json: inout JSONWriter) {
        for (name, value) in request.headers where name.starts(with: "apns-".utf8) {
            json.member(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
    }

    private static func message(_ push: PushDesk.Inbound) -> FCMPayload? {
        FCMPayload(
            push.parcel.request.body, name: push.parcel.name, sentTime: push.parcel.sent.milliseconds, fid: push.fid,
            addsMutableContent: push.addsMutableContent)
    }

    /// What the app's handler gets: of Apple's pushes the body itself, where that is JSON.
    private static func payload(_ message: FCMPayload?, _ push: PushDesk.Inbound, _ app: String) -> [UInt8] {
        var json = JSONWriter()
        if let message {
            switch push.platform {
            case .android: message.writeAndroid(app: app, to: &json)
            case .ios: message.writeApple(to: &json)
            case .web: message.writeWeb(to: &json)
            }
        } else if !push.isGoogles, let document = try? JSONDocument(parsing: push.parcel.request.body) {
            json.value(document.root)
        } else {
            json.null()
        }
        return json.finish()
    }
}

extension PushDesk.Inbound {
    /// It came by Google's API.
    fileprivate var isGoogles: Bool { !parcel.name.isEmpty }
}
