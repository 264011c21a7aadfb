internal import COpenSSL

extension Certificate {
    /// The first attribute of this kind in the subject; nil if it is missing or is not valid text.
    package func subject(_ attribute: SubjectAttribute) -> String? {
        defer { ERR_clear_error() }
        let name = unsafe X509_get_subject_name(pointer)
        let index = unsafe X509_NAME_get_index_by_NID(name, attribute.identifier, -1)
        guard index >= 0, let entry = unsafe X509_NAME_get_entry(name, index) else { return nil }
        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe ASN1_STRING_to_UTF8(&start, X509_NAME_ENTRY_get_data(entry))
        guard count >= 0, let start = unsafe start else { return nil }
        defer { unsafe CRYPTO_free(start, nil, 0) }
        return unsafe String(validating: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// The DNS names and addresses that the certificate is valid for; empty if the extension is missing or malformed.
    package var alternativeNames: [SubjectAlternativeName] {
        guard let value = value(of: .subjectAlternativeName) else { return [] }
        do {
            var reader = try DERReader.contents(ofSequence: value[...])
            var names: [SubjectAlternativeName] = []
            while !reader.isAtEnd {
                if let name = SubjectAlternativeName(try reader.next()) { names.append(name) }
            }
            return names
        } catch {
            return []
        }
    }

    /// The value of an extension; nil if the certificate does not have it.
    func value(of kind: CertificateExtension) -> [UInt8]? {
        defer { ERR_clear_error() }
        return unsafe try? kind.withObject { object -> [UInt8]? in
            let index = unsafe X509_get_ext_by_OBJ(pointer, object, -1)
            guard index >= 0, let found = unsafe X509_get_ext(pointer, index) else { return nil }
            return unsafe asn1Bytes(X509_EXTENSION_get_data(found))
        }
    }
}
