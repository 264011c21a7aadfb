/// What a header field may be made of, for whoever takes fields from people: the encoders trap on anything
/// else.
package enum FieldSyntax {
    /// A name that can be sent: a token, in any case.
    package static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty && name.allSatisfy(\.isToken)
    }

    /// A value that can be sent: no control characters but tabs, above all no CR and LF.
    package static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
        !value.contains(where: \.isControl)
    }
}
