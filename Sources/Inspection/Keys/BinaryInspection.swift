internal import PushCore
internal import TLS

/// Inspects DER: a certificate (.cer), a PKCS#12 file (.p12), or a private key without its PEM lines.
enum BinaryInspection {
    /// Whether the bytes begin with a DER SEQUENCE. Its length has the long form, or it is short and begins with a key's
    /// version.
    static func isDER(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == 0x30, let length = bytes.dropFirst().first else { return false }
        return 0x80...0x83 ~= length || length < 0x80 && bytes.dropFirst(2).starts(with: [0x02, 0x01])
    }

    static func inspect(_ subject: Subject, _ draft: inout InspectionDraft) {
        inspect(subject.bytes, subject, &draft)
    }

    private static func inspect(_ der: [UInt8], _ subject: Subject, _ draft: inout InspectionDraft) {
        if let certificate = try? Certificate(der: der) {
            draft.kind = .certificate
            CertificateInspection.inspect(certificate, subject, &draft)
            return draft.add(CertificateRule.noKey)
        }
        for label in ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"] {
            guard let key = try? PrivateKey(pem: pem(of: der, label)) else { continue }
            draft.kind = .privateKey
            KeyInspection.inspect(key, subject, &draft)
            return draft.add(KeyRule.noLines)
        }
        do throws(PKCS12.OpeningFailure) {
            // If this is nil, the whole input is inspected again once the file is open.
            guard let contents = try subject.opener.contents(of: der, subject.input) else { return }
            inspect(contents, subject, &draft)
        } catch {
            draft.kind = .pkcs12
            switch error {
            case .notPKCS12:
                draft.kind = .unknown
                draft.add(TextRule.unknown)
            case .wrongPassword: draft.add(CertificateRule.wrongPassword)
            case .tooManyRounds: draft.add(CertificateRule.rounds)
            case .cannotDecrypt(let reason): draft.add(CertificateRule.unreadable, reason)
            }
        }
    }

    private static func inspect(_ contents: PKCS12.Contents, _ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .pkcs12
        if contents.hasRC2 { draft.add(CertificateRule.oldCipher) }
        let key = contents.keys.first
        let own = contents.certificates.first { certificate in key.map { certificate.belongs(to: $0) } ?? false }
        guard let certificate = own ?? contents.certificates.first else {
            draft.add(CertificateRule.empty)
            if let key { KeyInspection.link(key.publicKey, &draft) }
            return
        }
        CertificateInspection.inspect(certificate, subject, &draft)
        if key == nil { draft.add(CertificateRule.noKey) } else if own == nil { draft.add(CertificateRule.otherKey) }
    }

    /// The bytes as a PEM block.
    private static func pem(of der: [UInt8], _ label: String) -> [UInt8] {
        let text = Base64URL.encode(der).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        var lines = "-----BEGIN \(label)-----\n"
        for (index, character) in text.enumerated() {
            lines.append(character)
            if index % 64 == 63 { lines += "\n" }
        }
        lines.append(der.count.isMultiple(of: 3) ? "" : der.count % 3 == 1 ? "==" : "=")
        return Array("\(lines)\n-----END \(label)-----\n".utf8)
    }

    /// The lengths of keys and certificates in base64.
    private static let lengths = 80...24_000

    /// Whether this is base64 that begins like a key or certificate in DER (`MI…`).
    static func isBase64DER(_ text: String) -> Bool {
        text.hasPrefix("MI") && lengths.contains(text.utf8.count) && (decode(text).map(isDER) ?? false)
    }

    static func inspectBase64(_ subject: Subject, _ draft: inout InspectionDraft) {
        inspect(decode(subject.text) ?? [], subject, &draft)
    }

    /// Decodes either alphabet of base64, with or without padding and line feeds.
    static func decode(_ text: String) -> [UInt8]? {
        Base64URL.decodeAny(text.utf8.filter { $0 != 0x0A && $0 != 0x0D })
    }
}
