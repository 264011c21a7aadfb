internal import Devices
internal import FCM
internal import JSON
internal import PushCore
internal import PushEngine

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
            device.write(isConnected: true, to: &json)
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
}
