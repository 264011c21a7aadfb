/// The errors about the size of a message and the types of the values for Apple. Their texts are captured.
extension GoogleError {
    static let tooLarge = GoogleError(
        400, "Message is too large. The maximum is 4K (4096 bytes).",
        [.emptyBadRequest, .fcmError("INVALID_ARGUMENT")],
        rule: "fcm.too-large")
    /// The same with the size that was counted.
    static func tooLarge(_ size: Int, limit: Int) -> GoogleError {
        var error = tooLarge
        error.meaning =
            "The keys and values of the message have \(size) bytes in all, and at most \(limit) are accepted."
        return error
    }

    static func apsType(_ key: String, _ type: String, at field: String) -> GoogleError {
        apsType(key, type, at: field, remedy: nil)
    }

    /// - Parameter found: what the value is instead, such as `a string`.
    static func apsType(_ key: String, _ type: String, at field: String, found: String) -> GoogleError {
        let example = type == "number" ? "as a number without quotes, such as 1" : "as a string in quotes"
        var error = apsType(key, type, at: field, remedy: "Write '\(key)' \(example).")
        error.meaning = "'\(key)' in aps must be a \(type.lowercased()), but it is \(found)."
        return error
    }

    private static func apsType(_ key: String, _ type: String, at field: String, remedy: String?) -> GoogleError {
        argument("Value type for APS key [\(key)] is a \(type).", field, rule: "fcm.aps-type", remedy: remedy)
    }
}
