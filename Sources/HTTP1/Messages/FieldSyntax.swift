/// Checks header fields that come from users. The encoders trap on fields that fail these checks.
package enum FieldSyntax {
    /// Whether a name can be sent: it must be a token, in upper or lower case.
    package static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty && name.allSatisfy(\.isToken)
    }

    /// Whether a value can be sent: tab is the only control character allowed.
    package static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
        !value.contains(where: \.isControl)
    }
}
