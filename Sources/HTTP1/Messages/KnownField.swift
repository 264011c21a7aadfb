internal import HTTPCore

/// The fields that the parser and the encoders handle themselves.
enum KnownField {
    case connection, contentLength, expect, host, transferEncoding, upgrade

    /// Nil for any other field.
    ///
    /// - Parameter name: in lower case.
    init?(_ name: ArraySlice<UInt8>) {
        let candidate: (field: KnownField, name: HeaderName)
        switch name.count {
        case 4: candidate = (.host, .host)
        case 6: candidate = (.expect, .expect)
        case 7: candidate = (.upgrade, .upgrade)
        case 10: candidate = (.connection, .connection)
        case 14: candidate = (.contentLength, .contentLength)
        case 17: candidate = (.transferEncoding, .transferEncoding)
        default: return nil
        }
        guard name.elementsEqual(candidate.name.bytes) else { return nil }
        self = candidate.field
    }
}
