internal import HTTPCore

extension [UInt8] {
    /// Appends the line of a field. A name or value that cannot be sent on one line is a bug in the caller and traps.
    mutating func append(field name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        precondition(
            FieldSyntax.isName(name) && FieldSyntax.isValue(value),
            "the field \(String(decoding: name, as: UTF8.self)): \(value.count) bytes cannot be sent on one line"
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
