package import APNs
package import TLS

/// The public keys that verify provider tokens and service accounts, and what each key may be used for.
package final class Keyring {
    /// By key id: the team of each provider key, and what the key may be used for.
    package private(set) var providerKeys: [String: ProviderKey] = [:]
    /// The same keys, for verifying, by key id.
    private var publicKeys: [String: PublicKey] = [:]
    /// The keys of service accounts, by email address.
    private var accounts: [String: PublicKey] = [:]
    /// What the gateway started with.
    private var own: (keys: [String: PublicKey], accounts: [String: PublicKey]) = ([:], [:])

    package init() {}

    /// From now on, the keys and accounts that are here can be replaced but not removed.
    package func keepForever() { own = (publicKeys, accounts) }

    private static let capacity = 1000

    /// - Parameter pem: the private key, as in Apple's .p8 file.
    package func add(_ key: ProviderKey, pem: [UInt8]) throws(CryptoError) {
        try add(key, PrivateKey(pem: pem).publicKey)
    }

    /// - Parameter pem: the public key.
    package func add(_ key: ProviderKey, publicPEM pem: [UInt8]) throws(CryptoError) {
        try add(key, PublicKey(pem: pem))
    }

    private func add(_ key: ProviderKey, _ publicKey: PublicKey) throws(CryptoError) {
        guard publicKey.algorithm == .es256 else {
            throw CryptoError("add the key \(key.id)", reason: "it is not a P-256 key")
        }
        guard providerKeys.count < Self.capacity || providerKeys[key.id] != nil else {
            throw CryptoError(
                "add the key \(key.id)", reason: "there are already \(Self.capacity) keys, which is the limit")
        }
        publicKeys[key.id] = publicKey
        providerKeys[key.id] = key
    }

    /// - Parameter pem: the service account's private key.
    package func addAccount(_ email: String, pem: [UInt8]) throws(CryptoError) {
        try addAccount(email, PrivateKey(pem: pem).publicKey)
    }

    /// - Parameter pem: the public key.
    package func addAccount(_ email: String, publicPEM pem: [UInt8]) throws(CryptoError) {
        try addAccount(email, PublicKey(pem: pem))
    }

    private func addAccount(_ email: String, _ publicKey: PublicKey) throws(CryptoError) {
        guard publicKey.algorithm == .rs256 else {
            throw CryptoError("add the account \(email)", reason: "it is not an RSA key")
        }
        guard accounts.count < Self.capacity || accounts[email] != nil else {
            throw CryptoError(
                "add the account \(email)", reason: "there are already \(Self.capacity) accounts, which is the limit")
        }
        accounts[email] = publicKey
    }

    /// Removes a key that was added.
    ///
    /// - Parameter original: the gateway's own key with this id; nil if it did not start with one.
    package func remove(_ keyID: String, original: ProviderKey?) {
        publicKeys[keyID] = own.keys[keyID]
        providerKeys[keyID] = original
    }

    /// Removes an account that was added. The gateway's own key of this account is valid again.
    package func removeAccount(_ email: String) { accounts[email] = own.accounts[email] }

    package var accountNames: [String] { accounts.keys.sorted() }

    /// Whether the signature is valid; nil if the account is unknown.
    package func verifyAccount(_ email: String, _ message: [UInt8], _ signature: [UInt8]) -> Bool? {
        accounts[email].map { $0.verify(signature, of: message) }
    }

    /// Whether the signature is valid; false if the key id is unknown.
    package func verify(_ keyID: String, _ message: [UInt8], _ signature: [UInt8]) -> Bool {
        publicKeys[keyID]?.verify(signature, of: message) ?? false
    }
}

@available(*, unavailable) extension Keyring: Sendable {}

/// One `--apns-key FILE:KEYID:TEAMID`.
package struct KeyFile: Sendable, Equatable {
    package let path: String
    package let keyID: String
    package let team: String

    init(path: String, keyID: String, team: String) {
        self.path = path
        self.keyID = keyID
        self.team = team
    }

    /// Nil if the text is malformed. Both ids must have ten letters and digits.
    package init?(parsing text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        path = parts.dropLast(2).joined(separator: ":")
        keyID = String(parts[parts.count - 2])
        team = String(parts[parts.count - 1])
        guard !path.isEmpty, [keyID, team].allSatisfy(ProviderKey.isID) else { return nil }
    }
}
