internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import WebSocket

/// From the log to the sockets.
extension Gateway {
    /// Sends a push to everybody who watches the device. The provider's answer does not wait for it.
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
        let frame = json.finish()
        for id in delivery.viewers {
            guard let connection = connections[id], case .webSocket(let channel) = connection.layer else { continue }
            channel.send(text: frame)
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
