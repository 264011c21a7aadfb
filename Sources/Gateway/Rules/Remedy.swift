/// What to do about each rule, and when a behaviour was seen, where that is known (facts/apns.md, facts/fcm.md).
enum Remedy {
    struct Row: Sendable {
        let text: String
        /// A year, or a year and a month.
        var observed: String?
    }

    static let table = apns.merging(google) { one, _ in one }.merging(gateway) { one, _ in one }.merging(devices) {
        one, _ in one
    }
}
