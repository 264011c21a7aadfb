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
        /// Of one of Apple's; else empty.
        fileprivate var body: [UInt8] = []
        fileprivate var activityToken: String?

        fileprivate mutating func read(_ inbound: PushDesk.Inbound, _ app: String) {
            // Only Google's pushes to iPhones say whose they are.
            let fid = inbound.isGoogles && inbound.platform == .ios ? inbound.fid : ""
            if push == inbound.id, platform == inbound.platform, self.app == app, self.fid == fid { return }
            // Apple's are what was sent, whoever gets them.
            if !inbound.isGoogles, !body.isEmpty, inbound.parcel.request.body.span.equals(body) { return }
            let message = inbound.isGoogles ? DeviceFrame.message(inbound) : nil
            self = PayloadMemo(
                push: inbound.id, platform: inbound.platform, app: app, fid: fid, payload: DeviceFrame.payload(message, inbound, app),
                body: inbound.isGoogles ? [] : inbound.parcel.request.body,
                activityToken: inbound.platform == .ios ? message?.liveActivityToken : nil)
        }
    }

    static func push(_ push: PushDesk.Inbound, as event: Event, attempt: Int, hasRaw: Bool, _ memo: inout PayloadMemo, in room: consuming [UInt8] = []) -> [UInt8] {
        memo.read(push, event.app)
        return object("push", in: consume room) { json in
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

    static func event(_ event: Event, _ shared: inout SharedMembers, in room: consuming [UInt8] = []) -> [UInt8] {
        object(in: consume room) { json in
            write(event, to: &json)
            json.key("data")
            event.writeData(to: &json, &shared)
        }
    }

    /// All but the data: nearly in one go, as most frames are events.
    private static func write(_ event: Event, to json: inout JSONWriter) {
        let kind = event.kind.rawValue.utf8Span.span
        json.members(160 + kind.count) { output in
            output.copy(#""type":"event","seq":"#)
            Decimal.append(event.seq, to: &output)
            output.copy(#","time":""#)
            event.time.write(to: &output)
            output.copy(#"","kind":""#)
            output.copy(kind)
            if let push = event.push {
                output.copy(#"","push":""#)
                push.write(to: &output)
            }
            output.copy("\"")
        }
        if let why = event.why { json.member("why", why.description) }
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
    private static let usualLength = 512

    /// - Parameter room: memory that is written over.
    private static func object(in room: consuming [UInt8], _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        room.removeAll(keepingCapacity: true)
        room.reserveCapacity(usualLength)
        var json = JSONWriter(appendingTo: consume room)
        json.object(body)
        return json.finish()
    }

    static func object(_ type: String, in room: consuming [UInt8] = [], _ body: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        object(in: consume room) { json in
            json.member("type", type)
            body(&json)
        }
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

    private static let applesOwn = Array("apns-".utf8)

    /// The fields a provider sets; its token is nobody's business.
    private static func writeHeaders(of request: Request, to json: inout JSONWriter) {
        let octets = request.headers.storage.span
        for place in request.headers.places {
            let name = octets.extracting(place.name)
            guard name.starts(with: applesOwn) else { continue }
            json.key(name.text)
            json.string(utf8: octets.extracting(place.value))
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
