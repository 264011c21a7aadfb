internal import Devices
package import HTTPCore
package import PushCore

/// One push on its way through the engine: the request, its number, and when it is handled.
package struct PushContext {
    package let request: Request
    /// Every request has a number, whether or not it is a push: the ids in its answer are made from it.
    package let id: PushID
    /// What the request means by APNs.
    package let environment: PushEnvironment
    package let now: Timestamp

    package init(_ request: Request, id: PushID, in environment: PushEnvironment = .production, at now: Timestamp) {
        self.request = request
        self.id = id
        self.environment = environment
        self.now = now
    }

    /// The same push, handled later.
    func later(at now: Timestamp) -> PushContext { PushContext(request, id: id, in: environment, at: now) }
}

/// What a push asks of one device, and what it replaces if it has to wait there.
struct Shipment {
    let traits: PushTraits
    let slot: StoredPush.Slot
}

/// The verdict on a push, as the log records it.
struct RecordedVerdict {
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
package struct DeviceEvent {
    let kind: Event.Kind
    let push: PushID?
    let why: RuleID?
    let detail: Event.Detail
    /// The push that has come with it, for viewers that want pushes.
    let delivery: PushEngine.Delivery?

    package init(
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
