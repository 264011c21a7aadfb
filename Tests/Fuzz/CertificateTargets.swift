@testable import TLS

/// Elements that are read lie within what was given, one behind the other; a list of topics is read as it was written.
func fuzzDER(_ bytes: [UInt8]) {
    var left = 4096
    walk(bytes[...], depth: 0, &left)
    let grants = TopicGrant.decode(bytes)
    demand(TopicGrant.decode(TopicGrant.encode(grants)) == grants, "topics read back otherwise: \(grants)")
    if let raw = ES256Signature.raw(fromDER: bytes) {
        let again = ES256Signature.der(fromRaw: raw)
        demand(
            raw.count == 64 && ES256Signature.raw(fromDER: again) == raw, "a signature read back otherwise")
    }
    if bytes.count >= 64 {
        let raw = Array(bytes.prefix(64))
        demand(
            ES256Signature.raw(fromDER: ES256Signature.der(fromRaw: raw)) == raw,
            "a raw signature became another")
    }
}

/// Goes through the elements and their children, at most `left` elements.
private func walk(_ bytes: ArraySlice<UInt8>, depth: Int, _ left: inout Int) {
    var reader = DERReader(bytes)
    var end = bytes.startIndex
    while !reader.isAtEnd, left > 0 {
        left -= 1
        guard let element = try? reader.next() else { return }
        let contents = element.contents
        demand(
            contents.startIndex >= end + 2 && contents.endIndex <= bytes.endIndex,
            "an element out of its slot")
        end = contents.endIndex
        if element.tag & 0x20 != 0, depth < 20 { walk(contents, depth: depth + 1, &left) }
        if let name = SubjectAlternativeName(element) { _ = "\(name)" }
    }
}

/// Whatever is in a certificate can be asked for; one that was read is written as it came.
func fuzzCertificate(_ bytes: [UInt8]) {
    let scope = try? ClientCertificateScope(der: bytes)
    let certificate = try? Certificate(der: bytes)
    demand((scope == nil) == (certificate == nil), "a scope without a certificate, or the other way round")
    guard let certificate, let scope else { return }
    ask(certificate)
    demand(scope == certificate.apnsScope, "the scope is another the second time")
    _ = scope.isExpired(at: 1_800_000_000)
    demand((try? certificate.der) != nil, "it cannot be written")
}

/// A text is read by every reader of PEM; what was read is written and read again as the same.
func fuzzPEM(_ bytes: [UInt8]) {
    if let certificate = try? Certificate(pem: bytes) {
        ask(certificate)
        let der = try? certificate.der
        let again = (try? certificate.pem).flatMap { try? Certificate(pem: $0) }
        demand(der != nil && (try? again?.der) == der, "a certificate read back otherwise")
    }
    if let key = try? PrivateKey(pem: bytes) {
        _ = key.algorithm
        _ = try? key.pem
    }
    if let key = try? PublicKey(pem: bytes) {
        _ = try? key.pem
        _ = key.verify(Array(bytes.prefix(64)), of: bytes)
    }
    _ = try? Identity(pem: bytes)
}

/// Options: the password is empty where the input begins with an odd byte.
func fuzzPKCS12(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    if let identity = try? PKCS12.identity(
        from: Array(bytes.dropFirst()), password: first & 1 == 1 ? "" : "pushpit")
    {
        ask(identity.certificate)
        demand(identity.certificate.belongs(to: identity.key), "the key is not the certificate's")
    }
}

private func ask(_ certificate: Certificate) {
    _ = certificate.alternativeNames
    _ = certificate.subject(.commonName)
    _ = certificate.matches(host: "localhost")
    _ = certificate.matches(host: "127.0.0.1")
    _ = certificate.isSigned(by: certificate)
    _ = try? certificate.verify(against: certificate, for: .server, at: 1_800_000_000)
}
