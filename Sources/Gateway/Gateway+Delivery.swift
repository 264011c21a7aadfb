internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import WebSocket

/// From the log to the sockets.
extension Gateway {
    /// Sends a push to everybody who watches the device. The provider's answer does not wait for it.
    func deliver(_ event: Event, to device: Device, _ watching: [ConnectionID]) {
        guard case .push(let record) = event.detail else { return }
        let delivered = events.append(
            .delivered, at: clock.now, app: event.app, device: device.id, push: event.push)
        var json = JSONWriter()
        json.object { json in
            json.member("type", "push")
            json.member("seq", delivered.seq)
            json.member("id", record.id.description)
            json.member("provider", record.provider.rawValue)
            json.member("app", event.app)
            json.member("attempt", 1)
            json.member("storedFor", 0)
            json.key("headers")
            json.object { json in writeHeaders(of: record.request, to: &json) }
            json.key("payload")
            writePayload(of: record.request, to: &json)
        }
        let frame = json.finish()
        for id in watching {
            guard let connection = connections[id], case .webSocket(let channel) = connection.layer else { continue }
            channel.send(text: frame)
            connection.flush()
        }
    }

    /// The fields a provider sets; its token is nobody's business.
    private func writeHeaders(of request: Request, to json: inout JSONWriter) {
        for index in 0..<request.headers.count where request.headers.name(at: index).starts(with: "apns-".utf8) {
            json.member(
                String(decoding: request.headers.name(at: index), as: UTF8.self),
                String(decoding: request.headers.value(at: index), as: UTF8.self))
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
