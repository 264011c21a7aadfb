internal import Devices
internal import HTTPCore
internal import PushCore

/// One push on its way through the engine: the request, its number, and when it is handled. Like the values below it
/// cannot be copied: a copy of the request would cost each push as much as a check.
struct PushContext: ~Copyable {
    let request: Request
    /// Every request has a number, whether or not it is a push: the ids in its answer are made from it.
    let id: PushID
    /// What the request means by APNs.
    let environment: PushEnvironment
    let now: Timestamp

    init(_ request: Request, id: PushID, in environment: PushEnvironment = .production, at now: Timestamp) {
        self.request = request
        self.id = id
        self.environment = environment
        self.now = now
    }
}

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
    /// The push that has come with it, for viewers that want pushes.
    let delivery: PushEngine.Delivery?

    init(
        _ kind: Event.Kind, push: PushID? = nil, why: consuming RuleID? = nil, detail: consuming Event.Detail = .none,
        carrying delivery: PushEngine.Delivery? = nil
    ) {
        self.kind = kind
        self.push = push
        self.why = why
        self.detail = detail
        self.delivery = delivery
    }
}
