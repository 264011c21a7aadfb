import APNs
import TLS
import TestSupport
import Testing

@testable import Credentials

/// The keys that provider tokens are checked with.
@Suite struct KeyringTests {
    private static let message = Array("head.claims".utf8)

    @Test func `a signature is valid only with the key that its id names`() throws {
        let (one, other) = (try PrivateKey.generateP256(), try PrivateKey.generateP256())
        let keyring = Keyring()
        try keyring.add(ProviderKey(id: "ONE4567890", team: "TEAM567890"), pem: one.pem)
        try keyring.add(ProviderKey(id: "OTHER67890", team: "TEAM567890"), publicPEM: other.publicKey.pem)
        #expect(keyring.providerKeys.keys.sorted() == ["ONE4567890", "OTHER67890"])
        let signature = try one.sign(Self.message)
        #expect(keyring.verify("ONE4567890", Self.message, signature))
        #expect(!keyring.verify("OTHER67890", Self.message, signature))
        #expect(!keyring.verify("UNKNOWN890", Self.message, signature))
        #expect(!keyring.verify("ONE4567890", Self.message + [0], signature))
        #expect(!keyring.verify("ONE4567890", Self.message, []))
        #expect(keyring.verify("OTHER67890", Self.message, try other.sign(Self.message)))
    }

    @Test func `the gateway's own key and account come back when what replaced them is removed`() throws {
        let (own, added) = (try PrivateKey.generateP256(), try PrivateKey.generateP256())
        let (account, stranger) = (try PrivateKey.generateRSA2048(), try PrivateKey.generateRSA2048())
        let original = ProviderKey(id: "ONE4567890", team: "TEAM567890")
        let keyring = Keyring()
        try keyring.add(original, pem: own.pem)
        try keyring.addAccount("a@b.example", pem: account.pem)
        keyring.keepForever()
        try keyring.add(ProviderKey(id: "ONE4567890", team: "OTHER67890"), pem: added.pem)
        try keyring.add(ProviderKey(id: "TWO4567890", team: "OTHER67890"), pem: added.pem)
        for email in ["a@b.example", "c@b.example"] { try keyring.addAccount(email, pem: stranger.pem) }
        let (signature, google) = (try own.sign(Self.message), try account.sign(Self.message))
        #expect(!keyring.verify("ONE4567890", Self.message, signature))
        #expect(keyring.verifyAccount("a@b.example", Self.message, google) == false)

        keyring.remove("ONE4567890", original: original)
        keyring.remove("TWO4567890", original: nil)
        for email in ["a@b.example", "c@b.example"] { keyring.removeAccount(email) }
        #expect(keyring.verify("ONE4567890", Self.message, signature))
        #expect(keyring.providerKeys.values.map(\.team) == ["TEAM567890"])
        let other = try added.sign(Self.message)
        #expect(!keyring.verify("TWO4567890", Self.message, other))
        #expect(keyring.verifyAccount("a@b.example", Self.message, google) == true)
        #expect(keyring.verifyAccount("c@b.example", Self.message, google) == nil)
    }

    @Test func `an account's signature is valid, invalid, or from an unknown account`() throws {
        let scratch = try Scratch.withSet()
        let keyring = try scratch.prepare().keyring(with: [])
        let email = try #require(keyring.accountNames.first)
        #expect(keyring.accountNames.count == 1)
        #expect(email.hasSuffix("@pushpit-local.iam.gserviceaccount.com"))
        #expect(keyring.verifyAccount(email, Self.message, [1, 2, 3]) == false)
        #expect(keyring.verifyAccount("b@c", Self.message, [1, 2, 3]) == nil)
    }

    @Test func `the set's own key is known, and so are the keys of the options`() throws {
        let scratch = try Scratch.withSet()
        let credentials = try scratch.prepare()
        let key = try PrivateKey.generateP256()
        try scratch.write(key.pem, "AuthKey_OTHER67890.p8")
        let file = try #require(KeyFile(parsing: "\(scratch.path("AuthKey_OTHER67890.p8")):OTHER67890:TEAM567890"))
        let keyring = try credentials.keyring(with: [file])
        #expect(keyring.providerKeys.keys.sorted() == [credentials.keyID, "OTHER67890"].sorted())
        #expect(keyring.providerKeys["OTHER67890"]?.team == "TEAM567890")
        #expect(keyring.providerKeys[credentials.keyID]?.team == credentials.teamID)
        #expect(keyring.verify("OTHER67890", Self.message, try key.sign(Self.message)))
        scratch.remove("AuthKey_OTHER67890.p8")
        let missing = #expect(throws: Credentials.Problem.self) { try credentials.keyring(with: [file]) }
        #expect(missing?.description == "\(file.path) does not exist")
        try scratch.write(Array("nonsense".utf8), "AuthKey_OTHER67890.p8")
        let broken = #expect(throws: Credentials.Problem.self) { try credentials.keyring(with: [file]) }
        #expect(
            broken?.description
                == "\(file.path) cannot be used: it is not a PEM file, which has a line with -----BEGIN. "
                + "Use the .p8 file from Apple, which begins with -----BEGIN PRIVATE KEY-----.")
    }

    @Test func `a key of the wrong kind is refused`() throws {
        let scratch = try Scratch.withSet()
        let account = try scratch.text("service-account.json")
        let rsa =
            account.split(separator: "\"").first { $0.hasPrefix("-----BEGIN") }?.replacing("\\n", with: "\n") ?? ""
        let keyring = Keyring()
        let key = #expect(throws: CryptoError.self) {
            try keyring.add(ProviderKey(id: "ONE4567890", team: "TEAM567890"), pem: Array(rsa.utf8))
        }
        #expect(key?.reason == "it is not a P-256 key")
        let ec = try PrivateKey.generateP256().pem
        let account2 = #expect(throws: CryptoError.self) { try keyring.addAccount("a@b", pem: ec) }
        #expect(account2?.reason == "it is not an RSA key")
        try keyring.addAccount("a@b", pem: Array(rsa.utf8))
        #expect(keyring.accountNames == ["a@b"])
        #expect(keyring.providerKeys.isEmpty)
    }

    @Test func `there are at most a thousand keys, and a known one may be replaced`() throws {
        let keyring = Keyring()
        let pem = try PrivateKey.generateP256().publicKey.pem
        for number in 0..<1000 { try keyring.add(ProviderKey(id: "K\(number)", team: "T"), publicPEM: pem) }
        let error = #expect(throws: CryptoError.self) {
            try keyring.add(ProviderKey(id: "K1000", team: "T"), publicPEM: pem)
        }
        #expect(error?.reason.contains("1000 keys") == true)
        try keyring.add(ProviderKey(id: "K7", team: "OTHER"), publicPEM: pem)
        #expect(keyring.providerKeys["K7"]?.team == "OTHER")
        #expect(keyring.providerKeys.count == 1000)
    }

    /// The text of `--apns-key`, and the path that it names; nil if it is malformed.
    @Test(
        arguments: [
            ("key.p8:ABCDE12345:TEAM567890", "key.p8"), ("/a:b/key.p8:ABCDE12345:TEAM567890", "/a:b/key.p8"),
            ("key.p8:abcde12345:team567890", "key.p8"), ("key.p8:ABCDE12345", nil), ("key.p8", nil), ("", nil),
            (":ABCDE12345:TEAM567890", nil), ("key.p8:ABCDE1234:TEAM567890", nil), ("key.p8:ABCDE12345:TEAM56789", nil),
            ("key.p8:ABCDE1234_:TEAM567890", nil), ("key.p8:ABCDE12345:TEAM567890:", nil), ("key.p8::", nil),
        ] as [(String, String?)])
    func `a key file is a path, a key id and a team id`(text: String, path: String?) {
        let file = KeyFile(parsing: text)
        #expect(file?.path == path)
        if let file { #expect(text == "\(file.path):\(file.keyID):\(file.team)") }
    }
}
