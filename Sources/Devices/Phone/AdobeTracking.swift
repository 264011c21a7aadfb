internal import PushCore

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
        // Android parses the delivery id as a number before it builds the URL of a click. An invalid or too large
        // number throws there.
        if platform == .android, action != "7", Int32(delivery, radix: 16) == nil { return }
        effects.append(
            .hit(TrackingHit(push: push, action: action, broadlog: broadlog, delivery: delivery, ecid: spec.ecid)))
    }
}
