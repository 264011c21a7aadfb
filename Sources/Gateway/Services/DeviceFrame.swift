internal import Devices
internal import FCM
internal import JSON
internal import PushCore

/// What a device socket is told beside pushes and events, in JSON (protocol.md).
package enum DeviceFrame {
    /// - Parameters:
    ///   - seq: of the newest event before it: whatever comes on the socket is newer, or comes again.
    ///   - missed: how many events the log has forgotten since the one to resume after; nil: nothing is resumed.
    static func welcome(
        _ device: Device, _ seq: UInt64, missed: UInt64?, _ ignored: [String], _ ref: JSONView?, _ gateway: Gateway
    ) -> [UInt8] {
        object("welcome") { json in
            json.key("device")
            write(device, isConnected: true, to: &json)
            json.member("seq", seq)
            json.member("resumed", missed == 0)
            json.member("missed", missed ?? 0)
            json.member("heartbeat", DurationText.text(gateway.configuration.heartbeat))
            json.member("serverTime", gateway.clock.now.description)
            if !ignored.isEmpty {
                json.key("ignored")
                json.array { json in for pointer in ignored { json.string(pointer) } }
            }
            if let ref { json.member("ref", ref) }
        }
    }

    static func token(_ event: Event) -> [UInt8] {
        object("token") { json in
            if case .fields(let fields) = event.detail { for (name, value) in fields { json.member(name, value) } }
        }
    }

    static func deleted(_ count: Int) -> [UInt8] { object("deleted") { $0.member("count", count) } }

    static func bye(_ reason: String) -> [UInt8] {
        object("bye") { json in
            json.member("reason", reason)
            json.member("reconnect", true)
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

    static func object(_ type: String, _ body: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        var json = JSONWriter()
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
                writeActivityTokens(of: device, to: &json)
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
            json.member("installed", !device.isGone)
        }
    }

    private static func writeActivityTokens(of device: Device, to json: inout JSONWriter) {
        let tokens = device.activityTokens
        guard !tokens.isEmpty else { return }
        json.key("liveActivity")
        json.object { json in
            json.member("topic", device.app + ".push-type.liveactivity")
            for (type, token) in tokens where type == nil { json.member("start", token.hex) }
            json.key("updates")
            json.object { json in for (type, token) in tokens { if let type { json.member(type, token.hex) } } }
        }
    }
}
