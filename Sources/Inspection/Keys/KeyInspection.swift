internal import APNs
internal import PushCore
internal import TLS

/// Inspects a private key that stands alone.
enum KeyInspection {
    static func inspect(_ key: PrivateKey, _ subject: Subject, _ draft: inout InspectionDraft) {
        let form = key.form
        draft.note("private key: \(form.text)")
        link(key.publicKey, &draft)
        let isNamedP8 = subject.name?.lowercased().hasSuffix(".p8") ?? true
        if form.isP256 {
            draft.kind = .apnsKey
        } else if isNamedP8 {
            draft.add(KeyRule.wrongKind, form.text)
        } else {
            draft.add(KeyRule.certificateKey, form.text)
        }
        if let name = subject.name { inspect(name: name, &draft) }
    }

    /// Apple names the file of a key `AuthKey_` followed by the key's id.
    private static func inspect(name: String, _ draft: inout InspectionDraft) {
        guard name.hasSuffix(".p8") else { return }
        if name.hasPrefix("SubscriptionKey_") { return draft.add(KeyRule.otherService, name.quoted) }
        // Browsers add a number to the name of a second download: `AuthKey_ABCDE12345 (1).p8`.
        let id = String(name.dropFirst(prefix.utf8.count).prefix { $0 != "." && $0 != " " })
        guard name.hasPrefix(prefix), isAppleID(id) else { return draft.add(KeyRule.fileName, name.quoted) }
        draft.note("key id, by the file's name: \(id)")
        draft.links.keyID = id
    }

    private static let prefix = "AuthKey_"

    /// Adds the fingerprint, which identifies the key without revealing it.
    static func link(_ key: PublicKey, _ draft: inout InspectionDraft) {
        guard let fingerprint = try? key.fingerprint else { return }
        draft.note("SHA-256 of the public key: \(Hex.encode(fingerprint))")
        draft.links.fingerprint = fingerprint
        draft.links.publicKey = try? key.pem
    }

    /// Whether this is ten capital letters and digits, like Apple's key ids and team ids (docs/evidence/apns.md §3.1).
    static func isAppleID(_ text: String) -> Bool {
        ProviderKey.isID(text) && !text.utf8.contains { $0 >= UInt8(ascii: "a") }
    }
}
