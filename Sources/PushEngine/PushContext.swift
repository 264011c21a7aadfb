internal import Devices
internal import PushCore

/// What a push asks of one device, and what it replaces if it has to wait there.
struct Shipment: ~Copyable {
    let traits: PushTraits
    let slot: StoredPush.Slot
}

/// The verdict on a push, as the log records it.
struct RecordedVerdict: ~Copyable {
    let kind: Event.Kind
    var provider = Provider.apns
    /// The name of an FCM message.
    var name = ""
    let app: String
    var device: DeviceID?
    let status: Int
    var reason: String?
    var why: RuleID?
    var findings: [Finding] = []
}

/// Something that happens on a device.
struct DeviceEvent: ~Copyable {
    let kind: Event.Kind
    let push: PushID?
    let why: RuleID?
    let detail: Event.Detail

    init(
        _ kind: Event.Kind, push: PushID? = nil, why: consuming RuleID? = nil, detail: consuming Event.Detail = .none
    ) {
        self.kind = kind
        self.push = push
        self.why = why
        self.detail = detail
    }
}
