/// Errors in the query parameters that all of Google's APIs have. The texts were recorded from other APIs
/// (docs/evidence/fcm.md §1.7).
extension GoogleError {
    static func badErrorFormat(_ value: String) -> GoogleError {
        GoogleError(
            400, "Invalid query parameters. Invalid value '\(value)' for system query parameter : $.xgafv",
            rule: "fcm.query")
    }

    static func badAnswerType(_ value: String) -> GoogleError {
        GoogleError(400, "Invalid value \"\(value)\" for query parameter 'alt'", rule: "fcm.query")
    }

    static let noMedia = GoogleError(
        400, "Unsupported alt type \"media\" for non byte stream request.", rule: "fcm.query")

    static func badFieldMask(_ mask: String, path: String) -> GoogleError {
        let text = "Error expanding 'fields' parameter. Cannot find matching fields for path '\(path)'."
        var error = GoogleError(
            400, badArgument, [.badRequest([Violation(field: mask, description: text)])], rule: "fcm.query")
        error.hint = text
        return error
    }
}
