import Testing

@testable import TLS

/// PKCS#12 files that may come from anyone.
struct PKCS12ContentsTests {
    private static func file(password: String) throws -> (bytes: [UInt8], identity: Identity) {
        let authority = try CertificateAuthority.create(now: 1_800_000_000)
        let identity = try authority.issueClientCertificate(
            ClientCertificateRequest(topic: "com.example.app"), now: 1_800_000_000)
        let bytes = try PKCS12.make(
            key: identity.key, certificate: identity.certificate, password: password, friendlyName: "push")
        return (bytes, identity)
    }

    private static func open(
        _ bytes: [UInt8], _ passwords: [String], roundsForKey: Int64 = 2_048
    ) throws(PKCS12.OpeningFailure) -> PKCS12.Contents {
        let limits = PKCS12.Limits(roundsForKey: roundsForKey, rounds: 60_000)
        return try PKCS12.Opening(bytes, passwords: passwords, limits: limits).finish()
    }

    private static func failure(_ bytes: [UInt8], _ passwords: [String]) -> PKCS12.OpeningFailure? {
        do throws(PKCS12.OpeningFailure) {
            _ = try open(bytes, passwords)
            return nil
        } catch { return error }
    }

    @Test func `the key and the certificate are read with the password that fits`() throws {
        for password in ["", "pushpit"] {
            let (bytes, identity) = try Self.file(password: password)
            let contents = try Self.open(bytes, ["wrong", "", "pushpit"])
            #expect(try contents.keys.map { try $0.pem } == [identity.key.pem])
            #expect(try contents.certificates.map { try $0.der } == [identity.certificate.der])
        }
    }

    @Test func `other passwords and other bytes are refused`() throws {
        let (bytes, _) = try Self.file(password: "secret")
        #expect(Self.failure(bytes, ["", "pushpit"]) == .wrongPassword)
        #expect(Self.failure(bytes, []) == .wrongPassword)
        #expect(Self.failure(Array(bytes.dropLast()), ["secret"]) == .notPKCS12)
        #expect(Self.failure([], ["secret"]) == .notPKCS12)
    }

    /// The MAC and both safes take 2,048 rounds each, and 60,000 are allowed.
    @Test func `the rounds of all passwords are counted together`() throws {
        let (bytes, _) = try Self.file(password: "secret")
        let wrong = (0..<30).map { "wrong \($0)" }
        #expect(Self.failure(bytes, wrong + ["secret"]) == .tooManyRounds)
        #expect(Self.failure(bytes, Array(wrong.prefix(20)) + ["secret"]) == nil)
    }

    @Test func `the rounds for one key have a limit of their own`() throws {
        let (bytes, _) = try Self.file(password: "secret")
        #expect(throws: PKCS12.OpeningFailure.tooManyRounds) {
            try Self.open(bytes, ["secret"], roundsForKey: 2_047)
        }
    }

    /// Three passwords are tried, the last with two spellings of nothing, and then two safes and their bags are read.
    @Test func `no step derives two keys`() throws {
        let (bytes, _) = try Self.file(password: "")
        let limits = PKCS12.Limits(roundsForKey: 2_048, rounds: 60_000)
        let opening = try PKCS12.Opening(bytes, passwords: ["wrong", "pushpit", ""], limits: limits)
        var steps = 0
        while opening.contents == nil {
            opening.advance()
            steps += 1
        }
        // 3 attempts, 2 safes, 2 bags, and the end.
        #expect(steps == 8)
        opening.advance()
        #expect(try opening.contents?.get().keys.count == 1)
    }

    @Test func `the rounds of scrypt are the product of its parameters`() {
        let rows: [([Int64], Int64)] = [
            ([], 0), ([2048], 2048), ([2048, 32], 2048), ([16_384, 8, 2], 262_144), ([16_384, 8, 0, 32], 4_194_304),
            ([.max, 2, 2], .max),
        ]
        for (integers, count) in rows { #expect(PKCS12.rounds(withParameters: integers) == count, "\(integers)") }
    }

    @Test func `the integers of nested sequences are found, whatever the bytes are`() {
        let rows: [([UInt8], [Int64])] = [
            ([], []), ([0x02, 1, 5], [5]), ([0x30, 6, 0x02, 1, 5, 0x02, 1, 9], [5, 9]), ([0x02, 2, 0, 0x80], [128]),
            ([0x02, 8, 1, 0, 0, 0, 0, 0, 0, 0], [.max]), ([0x02, 5, 1], []), ([0x04, 1, 99], []), ([0x30, 0x80], []),
        ]
        for (bytes, found) in rows { #expect(DERReader.integers(in: bytes[...], depth: 0) == found, "\(bytes)") }
        var nested: [UInt8] = [0x02, 1, 5]
        for _ in 0..<20 { nested = DERWriter.element(.sequence, nested) }
        #expect(DERReader.integers(in: nested[...], depth: 0) == [.max])
    }

    @Test func `a key's form is its algorithm, its curve and its size`() throws {
        let key = try PrivateKey.generateP256()
        #expect(key.form.text == "EC on P-256" && key.form.isP256 && key.publicKey.form == key.form)
        let rsa = try PrivateKey.generateRSA2048()
        #expect(rsa.form.text == "RSA with 2048 bits" && !rsa.form.isP256)
        #expect(try key.publicKey.fingerprint == PublicKey(pem: key.publicKey.pem).fingerprint)
        #expect(try key.publicKey.fingerprint != rsa.publicKey.fingerprint)
    }
}
