internal import COpenSSL

/// A copy of the bytes of an `ASN1_STRING`; empty for a null pointer.
func asn1Bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
    guard let string = unsafe string, let start = unsafe ASN1_STRING_get0_data(string) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(max(0, ASN1_STRING_length(string)))))
}
