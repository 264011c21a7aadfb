/// What would be right in place of a value that can't be converted. Google's texts do not say it.
extension ProtoType {
    var remedy: String {
        switch self {
        case .string: "Write the value as a string in quotes."
        case .bool: "Use true or false."
        case .int32: "Use a whole number from -2147483648 to 2147483647."
        case .float: "Use a number."
        case .duration: "Write a duration as a string of seconds that ends in 's', like \"3600s\"."
        case .timestamp: "Write a time as a string like \"2026-11-23T08:00:00Z\"."
        case .structure, .message: "Use a JSON object."
        case .map: Self.mapRemedy
        case .enumeration(let type): "Use \(Self.list(type.values))."
        }
    }

    static let mapRemedy = "All values of this object must be strings, like {\"count\": \"7\"}."
    static let nameRemedy = "Remove the field or correct its name."

    /// The names as `A, B or C`.
    private static func list(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }
}
