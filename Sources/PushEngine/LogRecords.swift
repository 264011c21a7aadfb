internal import Devices
internal import PushCore

/// The delivery properties of a push, and the key under which it is stored if it has to wait for a device.
struct OutgoingPush: ~Copyable {
    let traits: PushTraits
    let key: StoredPush.Key
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

/// Something that happened on a device.
struct DeviceEvent: ~Copyable {
    let kind: Event.Kind
    let push: PushID?
    let why: RuleID?

    init(_ kind: Event.Kind, push: PushID? = nil, why: consuming RuleID? = nil) {
        self.kind = kind
        self.push = push
        self.why = why
    }
}
