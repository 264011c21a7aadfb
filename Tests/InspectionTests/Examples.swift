import TLS

@testable import Inspection

/// One input for each rule: the rule that must be found, and the input's kind.
struct Example: Sendable {
    let rule: String
    let kind: InspectedKind
    let bytes: [UInt8]
    var name: String?

    init(_ rule: some InspectionRule, _ kind: InspectedKind, _ text: String, name: String? = nil) {
        self.init(rule, kind, bytes: Array(text.utf8), name: name)
    }

    init(_ rule: some InspectionRule, _ kind: InspectedKind, bytes: [UInt8], name: String? = nil) {
        self.rule = rule.rawValue
        self.kind = kind
        self.bytes = bytes
        self.name = name
    }

    private static let pem = Fixtures.text(Fixtures.key)
    private static let day: Int64 = 86_400

    static let all = keys + certificates + providerTokens + googleTokens + deviceTokens + googleFiles + texts

    private static let keys: [Example] = [
        Example(KeyRule.wrongKind, .privateKey, Fixtures.text(Fixtures.rsa), name: "AuthKey_ABCDE12345.p8"),
        Example(KeyRule.wrongKind, .privateKey, OpenSSLFiles.otherCurve),
        Example(KeyRule.certificateKey, .privateKey, Fixtures.text(Fixtures.rsa), name: "key.pem"),
        Example(KeyRule.publicKey, .publicKey, Fixtures.text((try? PrivateKey(pem: Fixtures.key).publicKey.pem) ?? [])),
        Example(
            KeyRule.encrypted, .privateKey,
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGj\n-----END ENCRYPTED PRIVATE KEY-----\n"),
        Example(
            KeyRule.request, .certificateRequest,
            "-----BEGIN CERTIFICATE REQUEST-----\nMIGj\n-----END CERTIFICATE REQUEST-----\n"),
        Example(
            KeyRule.openSSH, .privateKey, "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----"
        ),
        Example(KeyRule.otherLabel, .unknown, "-----BEGIN PGP MESSAGE-----\nMIGj\n-----END PGP MESSAGE-----\n"),
        Example(
            KeyRule.olderFormat, .apnsKey,
            """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIJIYD2sm9H33itZYAsH+6/KqgwYa5XRrTFZOijRlc/i5oAoGCCqGSM49
            AwEHoUQDQgAEWtwSJMYvrmv7fOUfO1FI8lcyjMiFGAC+whuoxOxr/DYksp4SQIzz
            ojeGaTTZG5LsmLq20gEp1g58AkPZv+Ee/Q==
            -----END EC PRIVATE KEY-----
            """),
        Example(KeyRule.damaged, .privateKey, "-----BEGIN PRIVATE KEY-----\nMIGj\n-----END PRIVATE KEY-----\n"),
        Example(KeyRule.noLines, .apnsKey, pem.split(separator: "\n").dropFirst().dropLast().joined()),
        Example(KeyRule.escapedLines, .apnsKey, Fixtures.escaped(Fixtures.key)),
        Example(KeyRule.noEnd, .privateKey, String(pem.dropLast(20))),
        Example(KeyRule.fileName, .apnsKey, pem, name: "AuthKey_abc.p8"),
        Example(KeyRule.otherService, .apnsKey, pem, name: "SubscriptionKey_ABCDE12345.p8"),
    ]

    private static let certificates: [Example] = [
        Example(
            CertificateRule.expired, .clientIdentity,
            Fixtures.certificate(.both, Validity(notBefore: 0, notAfter: Fixtures.seconds - 1))),
        Example(
            CertificateRule.notYetValid, .clientIdentity,
            Fixtures.certificate(
                .both, Validity(notBefore: Fixtures.seconds + 1, notAfter: Fixtures.seconds + 90 * day))),
        Example(
            CertificateRule.endsSoon, .clientIdentity,
            Fixtures.certificate(.both, Validity(notBefore: 0, notAfter: Fixtures.seconds + 29 * day))),
        Example(CertificateRule.notForPush, .clientIdentity, Fixtures.certificate([], grants: [])),
        Example(CertificateRule.sandboxOnly, .clientIdentity, Fixtures.certificate(.development)),
        Example(CertificateRule.productionOnly, .clientIdentity, Fixtures.certificate(.production)),
        Example(CertificateRule.severalTopics, .clientIdentity, Fixtures.certificate()),
        Example(
            CertificateRule.noKey, .certificate, Fixtures.text((try? Fixtures.identity().certificate.pem) ?? [])),
        Example(CertificateRule.noKey, .certificate, bytes: (try? Fixtures.identity().certificate.der) ?? []),
        Example(
            CertificateRule.otherKey, .clientIdentity,
            Fixtures.text((try? Fixtures.identity().certificate.pem) ?? []) + pem),
        Example(CertificateRule.wrongPassword, .pkcs12, bytes: Fixtures.pkcs12(password: "secret")),
        Example(CertificateRule.rounds, .pkcs12, bytes: OpenSSLFiles.slow),
        Example(CertificateRule.oldCipher, .pkcs12, bytes: OpenSSLFiles.oldCipher),
        Example(CertificateRule.unreadable, .pkcs12, bytes: OpenSSLFiles.withoutMAC),
        Example(CertificateRule.empty, .pkcs12, bytes: OpenSSLFiles.withoutCertificate),
    ]

    private static let texts: [Example] = [
        Example(TextRule.empty, .unknown, " \n"),
        Example(TextRule.tooLarge, .unknown, String(repeating: "a", count: InspectionInput.maximumBytes + 1)),
        Example(TextRule.unknown, .unknown, "hello"), Example(TextRule.unknown, .unknown, bytes: [0x30, 0x82, 1, 1]),
        Example(TextRule.byteOrderMark, .apnsDeviceToken, "\u{FEFF}\(Fixtures.deviceToken)"),
        Example(TextRule.utf16, .unknown, bytes: [0xFF, 0xFE, 0x7B, 0]),
        Example(MessageRule.legacy, .fcmMessage, #"{"to":"\#(Fixtures.fcmToken)","notification":{"title":"Hi"}}"#),
    ]
}
