internal import PushCore

/// The intents of Adobe's Android sample: both with request code 0, so that all notifications share them (facts/device.md
/// X12). A tap finds what the newest push put in, a clear what the oldest did.
struct AdobeIntents: Sendable {
    private(set) var tapping: AdobeIDs?
    private(set) var clearing: AdobeIDs?
    /// What the activity was last opened with.
    var opened: AdobeIDs?

    mutating func posted(_ ids: AdobeIDs) {
        tapping = ids
        if clearing == nil { clearing = ids }
    }
}

extension Device {
    /// What Adobe's code reports, where it does (facts/device.md §1.2 and §4.1).
    func track(_ action: String, _ ids: AdobeIDs, _ push: PushID?, _ effects: inout [DeviceEffect]) {
        let spec = phone.spec.tracking
        guard spec.profile == .adobe, spec.privacy == .optedin, !spec.ecid.isEmpty, ids.isOn,
            let broadlog = ids.broadlog, let delivery = ids.delivery, !broadlog.isEmpty, !delivery.isEmpty
        else { return }
        // Android reads the delivery as a number before it builds a click's URL: what is none, or too large, throws.
        if platform == .android, action != "7", Int32(delivery, radix: 16) == nil { return }
        effects.append(
            .hit(TrackingHit(push: push, action: action, broadlog: broadlog, delivery: delivery, ecid: spec.ecid)))
    }
}
