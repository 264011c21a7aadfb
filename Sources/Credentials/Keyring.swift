package import APNs
package import TLS

/// The keys that providers may sign with: what they are for, and their public halves.
package final class Keyring {
    package private(set) var known: [String: ProviderKey] = [:]
    private var keys: [String: PublicKey] = [:]
    private var accounts: [String: PublicKey] = [:]

    package init() {}

    private static let capacity = 1000

    /// - Parameter pem: of the private key, as Apple gives it out.
    package func add(_ key: ProviderKey, pem: [UInt8]) throws(CryptoError) {
        try add(key, PrivateKey(pem: pem).publicKey)
    }

    /// - Parameter pem: of the public key alone.
    package func add(_ key: ProviderKey, publicPEM pem: [UInt8]) throws(CryptoError) {
        try add(key, PublicKey(pem: pem))
    }

    private func add(_ key: ProviderKey, _ half: PublicKey) throws(CryptoError) {
        guard half.algorithm == .es256 else { throw CryptoError("add the key \(key.id)", reason: "it is no P-256 key") }
        guard known.count < Self.capacity || known[key.id] != nil else {
            throw CryptoError("add the key \(key.id)", reason: "there are \(Self.capacity) keys")
        }
        keys[key.id] = half
        known[key.id] = key
    }

    /// - Parameter pem: of a service account's private key.
    package func addAccount(_ email: String, pem: [UInt8]) throws(CryptoError) {
        let half = try PrivateKey(pem: pem).publicKey
        guard half.algorithm == .rs256 else {
            throw CryptoError("add the account \(email)", reason: "it is no RSA key")
        }
        guard accounts.count < Self.capacity || accounts[email] != nil else {
            throw CryptoError("add the account \(email)", reason: "there are \(Self.capacity) accounts")
        }
        accounts[email] = half
    }

    package var accountNames: [String] { accounts.keys.sorted() }

    /// Nil for an account that is not known.
    package func verifyAccount(_ email: String, _ message: [UInt8], _ signature: [UInt8]) -> Bool? {
        accounts[email].map { $0.verify(signature, of: message) }
    }

    /// False for an id that nobody has.
    package func verify(_ keyID: String, _ message: [UInt8], _ signature: [UInt8]) -> Bool {
        keys[keyID]?.verify(signature, of: message) ?? false
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

    /// Nil where it is no such thing: both ids have ten letters and digits.
    package init?(parsing text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        path = parts.dropLast(2).joined(separator: ":")
        keyID = String(parts[parts.count - 2])
        team = String(parts[parts.count - 1])
        guard !path.isEmpty, [keyID, team].allSatisfy(ProviderKey.isID) else { return nil }
    }
}
