internal import Devices
internal import FCM
internal import JSON
internal import PushCore
internal import PushEngine

/// The JSON messages to device sockets other than pushes and events (docs/devices.md).
package enum DeviceFrame {
    /// The answer to `hello`.
    struct Welcome {
        /// The number of the newest event so far. The frames that follow contain replayed events up to this one, or
        /// newer events.
        let seq: UInt64
        /// How many of the events to replay are no longer in the log; nil if the client does not resume.
        let missed: UInt64?
        /// Pointers to members of `hello` that have no effect.
        let ignored: [String]
        let ref: JSONView?
        /// Milliseconds of silence after which the socket gets a ping.
        let heartbeat: UInt64
        let now: Timestamp
    }

    static func welcome(_ device: Device, _ welcome: Welcome, base: String) -> [UInt8] {
        object("welcome") { json in
            json.key("device")
            device.write(isConnected: true, base: base, to: &json)
            json.member("seq", welcome.seq)
            json.member("resumed", welcome.missed == 0)
            json.member("missed", welcome.missed ?? 0)
            json.member("heartbeat", DurationText.text(welcome.heartbeat))
            json.member("serverTime", welcome.now.description)
            if !welcome.ignored.isEmpty {
                json.key("ignored")
                json.array { json in for pointer in welcome.ignored { json.string(pointer) } }
            }
            if let ref = welcome.ref { json.member("ref", ref) }
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
