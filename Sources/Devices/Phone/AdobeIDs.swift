internal import JSON

/// The members of a push that Adobe's tracking code reads (docs/evidence/device.md §1.2, code).
struct AdobeIDs: Sendable, Equatable {
    /// `_mId`.
    var broadlog: String?
    /// `_dId`.
    var delivery: String?
    /// `_acsDeliveryTracking` is "on", absent or not a string.
    var isOn = true

    init() {}

    /// The iOS code casts with `as? String`, so a value that is not a string counts as absent. Case does not matter.
    init(apple payload: JSONView?) {
        broadlog = payload?["_mId"]?.string
        delivery = payload?["_dId"]?.string
        isOn = payload?["_acsDeliveryTracking"]?.string.map { $0.lowercased() == "on" } ?? true
    }

    /// The Android code compares with `equals("on")`, so case matters.
    init(android data: [String: String]) {
        broadlog = data["_mId"]
        delivery = data["_dId"]
        isOn = data["_acsDeliveryTracking"].map { $0 == "on" } ?? true
    }
}
