/// The type of a JSON value.
package enum JSONKind: UInt8, Sendable, CaseIterable {
    case null
    case bool
    case number
    case string
    case array
    case object
}
