internal import JSON

/// What Adobe's tracking code reads of a push (facts/device.md §1.2, code).
struct AdobeIDs: Sendable, Equatable {
    /// `_mId`.
    var broadlog: String?
    /// `_dId`.
    var delivery: String?
    /// `_acsDeliveryTracking` is "on", or not a string at all.
    var isOn = true

    init() {}

    /// `as? String`: whatever is no string counts as absent; on and off are compared without regard to case.
    init(apple payload: JSONView?) {
        broadlog = payload?["_mId"]?.string
        delivery = payload?["_dId"]?.string
        isOn = payload?["_acsDeliveryTracking"]?.string.map { $0.lowercased() == "on" } ?? true
    }

    /// `equals("on")`.
    init(android data: [String: String]) {
        broadlog = data["_mId"]
        delivery = data["_dId"]
        isOn = data["_acsDeliveryTracking"].map { $0 == "on" } ?? true
    }
}
