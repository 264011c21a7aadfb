internal import JSON
internal import PushCore

/// The members of a push that Adobe's tracking code reads (docs/evidence/device.md §1.2, code).
struct AdobeIDs: Sendable, Equatable {
    /// `_mId`: the id of the message in Adobe Campaign's send log, which Adobe calls the broadlog.
    var broadlog: String?
    /// `_dId`: the id of the delivery. This is Adobe's word for a message that is sent to many recipients.
    var delivery: String?
    /// `_acsDeliveryTracking` is "on", absent or not a string.
    var isOn = true

    init() {}

    /// Android parses the delivery id as a number before it builds the URL of a click. Building
    /// it throws if the number is invalid or too large.
    static func isReadable(_ delivery: String, on platform: Device.Platform) -> Bool {
        platform != .android || Int32(delivery, radix: 16) != nil
    }

    /// The iOS code casts with `as? String`, so a value that is not a string counts as absent. Case does not matter.
    init(apple json: JSONDocument) {
        let root = json.rootPlace
        broadlog = json.string(at: json["_mId", in: root])
        delivery = json.string(at: json["_dId", in: root])
        isOn = json.string(at: json["_acsDeliveryTracking", in: root]).map { $0.lowercased() == "on" } ?? true
    }

    /// The Android code compares with `equals("on")`, so case matters.
    init(android data: [String: String]) {
        broadlog = data["_mId"]
        delivery = data["_dId"]
        isOn = data["_acsDeliveryTracking"].map { $0 == "on" } ?? true
    }
}

/// The two pending intents of Adobe's Android sample. Both have the request code 0, so all notifications share them
/// (docs/evidence/device.md §1.5, X12): a tap reports the ids of the newest push, and a dismissal those of the oldest.
struct AdobeIntents: Sendable {
    private(set) var tapIDs: AdobeIDs?
    private(set) var dismissalIDs: AdobeIDs?
    /// The ids in the intent that last opened the activity.
    var openedIDs: AdobeIDs?

    mutating func posted(_ ids: AdobeIDs) {
        tapIDs = ids
        if dismissalIDs == nil { dismissalIDs = ids }
    }
}

extension Device {
    /// Reports an action to Adobe, if Adobe's code would (docs/evidence/device.md §1.2 and §4.1).
    func track(_ action: String, _ ids: AdobeIDs, _ push: PushID?, _ effects: inout [DeviceEffect]) {
        let spec = phone.spec.tracking
        guard spec.profile == .adobe, spec.privacy == .optedin, !spec.ecid.isEmpty, ids.isOn,
            let broadlog = ids.broadlog, let delivery = ids.delivery, !broadlog.isEmpty, !delivery.isEmpty
        else { return }
        if action != "7", !AdobeIDs.isReadable(delivery, on: platform) { return }
        effects.append(
            .hit(TrackingHit(push: push, action: action, broadlog: broadlog, delivery: delivery, ecid: spec.ecid)))
    }
}
