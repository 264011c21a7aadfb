internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import WebSocket

/// From the log to the sockets.
extension Gateway {
    /// A frame on its way to those who watch a device.
    struct Outgoing {
        let frame: [UInt8]
        var viewers: ArraySlice<ConnectionID>
    }

    /// Sockets written to before somebody else has his turn, unless this many frames wait already.
    private static let slice = 64
    private static let backlog = 1024

    /// Makes a push ready for everybody who watches the device. The provider's answer goes out first.
    func deliver(_ delivery: PushDesk.Delivery, _ request: Request) {
        let device = desk.devices.id(at: delivery.device)
        let seq = desk.events.append(.delivered, at: clock.now, app: delivery.app, device: device, push: delivery.push)
        var json = JSONWriter()
        json.object { json in
            json.member("type", "push")
            json.member("seq", seq)
            json.member("id", delivery.push.description)
            json.member("provider", Provider.apns.rawValue)
            json.member("app", delivery.app)
            json.member("attempt", 1)
            json.member("storedFor", 0)
            json.key("headers")
            json.object { json in writeHeaders(of: request, to: &json) }
            json.key("payload")
            writePayload(of: request, to: &json)
        }
        outgoing.append(Outgoing(frame: json.finish(), viewers: delivery.viewers[...]))
    }

    /// Writes the next frames; what is left waits for the loop's next turn.
    func workOff() {
        var left = Self.slice
        while !outgoing.isEmpty {
            if left <= 0, outgoing.count < Self.backlog, let scheduleMore { return scheduleMore() }
            left -= 1
            guard let id = outgoing[0].viewers.popFirst() else {
                outgoing.removeFirst()
                continue
            }
            guard let connection = connections[id], case .webSocket(let channel) = connection.layer else { continue }
            channel.send(text: outgoing[0].frame)
            connection.flush()
        }
    }

    /// The fields a provider sets; its token is nobody's business.
    private func writeHeaders(of request: Request, to json: inout JSONWriter) {
        for (name, value) in request.headers where name.starts(with: "apns-".utf8) {
            json.member(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
    }

    /// The body itself where it is JSON, else null.
    private func writePayload(of request: Request, to json: inout JSONWriter) {
        if let document = try? JSONDocument(parsing: request.body) {
            json.value(document.root)
        } else {
            json.null()
        }
    }
}
