internal import PushCore
internal import Devices
internal import HTTPCore
internal import JSON
internal import Patterns
internal import PushEngine

/// `GET /devices`, and `GET /subscriptions`, which lists the devices that have a push subscription.
final class DeviceList: SlicedCall {
    private let isOfSubscriptions: Bool
    private let page: ControlPage
    private let app: String?
    private let platform: Device.Platform?
    /// Text that the id, the name or the app contains.
    private let text: TextPattern?
    /// The generation of the newest device when the call began. Each new device gets the next generation.
    private let newest: Int
    /// The generation at which to look for the next device. The cursor of a page is such a number, too.
    private var next: Int
    private var json = JSONWriter()
    private var count = 0

    init(_ call: ControlAPI.Call, ofSubscriptions: Bool = false) throws(ControlProblem) {
        isOfSubscriptions = ofSubscriptions
        page = try call.query.page()
        app = call.query.text("app")
        platform = try call.query.word("platform", Device.Platform.self)
        text = call.query.text("text").map { TextPattern($0) }
        newest = call.host.box.engine.devices.generation
        next = page.start
        json.beginObject()
        json.key(ofSubscriptions ? "subscriptions" : "devices")
        json.beginArray()
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        repeat {
            guard let slot = host.box.engine.devices.oldest(from: next),
                host.box.engine.devices.existed(slot, atGeneration: newest)
            else { return answer(next: nil) }
            let generation = host.box.engine.devices.reference(to: slot).generation
            next = generation + 1
            guard host.box.engine.devices.belongs(slot, to: app),
                platform == nil || host.box.engine.devices.platform(at: slot) == platform,
                isFound(host.box.engine.devices[slot])
            else { continue }
            let device = host.box.engine.devices[slot]
            if isOfSubscriptions, device.endpoint(base: "") == nil || device.isAppRemoved { continue }
            if count == page.limit { return answer(next: String(generation)) }
            if isOfSubscriptions {
                writeSubscription(device, host.url)
            } else {
                ControlAPI.writeDevice(slot, host, to: &json)
            }
            count += 1
        } while !host.isTurnOver
        return nil
    }

    private func writeSubscription(_ device: Device, _ url: String) {
        json.object { json in
            json.member("device", device.id.description)
            json.member("app", device.app)
            json.member("client", device.receiver?.client)
            json.member("endpoint", device.endpoint(base: url))
            json.member("online", device.state.online)
            if !device.fcmToken.isEmpty { json.member("fcmToken", device.fcmToken) }
        }
    }

    private func isFound(_ device: Device) -> Bool {
        guard let text else { return true }
        return [device.id.description, device.name, device.app].contains { text.isContained(in: $0.utf8Span.span) }
    }

    private func answer(next: String?) -> ControlAPI.Reply {
        json.endArray()
        json.member("next", next)
        json.endObject()
        return .answer(.json(json.takeBytes()))
    }
}
