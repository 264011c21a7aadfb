internal import HTTPCore

extension [UInt8] {
    /// Appends a field's line. A name or value that would break out of it is our own bug, so it traps.
    mutating func append(field name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        precondition(
            FieldSyntax.isName(name) && FieldSyntax.isValue(value),
            "the field \(String(decoding: name, as: UTF8.self)): \(value.count) octets cannot be one line"
        )
        append(contentsOf: name)
        append(text: ": ")
        append(contentsOf: value)
        appendLineEnd()
    }

    mutating func append(field name: HeaderName, _ value: String) {
        append(contentsOf: name.bytes)
        append(text: ": ")
        append(text: value)
        appendLineEnd()
    }
}
