internal import JSON
internal import PushCore
internal import TLS

/// Inspects the JSON file of a service account.
enum ServiceAccount {
    private static let googleTokenURIs = [
        "https://oauth2.googleapis.com/token", "https://accounts.google.com/o/oauth2/token",
    ]
    private static let maximumKey = 16 << 10

    static func matches(_ subject: Subject) -> Bool {
        if let root = subject.root {
            return root["type"]?.equals("service_account")
                ?? (root["private_key"] != nil && root["client_email"] != nil)
        }
        return subject.text.hasPrefix("{") && subject.text.includes("\"private_key\"")
    }

    static func inspect(_ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .serviceAccount
        guard let root = subject.root else {
            var sentence = "it is not an object."
            do throws(JSONError) { _ = try JSONDocument(parsing: subject.bytes) } catch {
                sentence = error.sentence(in: subject.bytes)
            }
            return draft.add(GoogleFileRule.notJSON, sentence)
        }
        checkNames(root, &draft)
        checkKey(root, subject, &draft)
        let uri = root["token_uri"]?.string ?? ""
        if uri.isEmpty {
            draft.add(GoogleFileRule.missing, "token_uri")
        } else if uri.hasPrefix("https://localhost:") || uri.hasPrefix("https://127.0.0.1:") {
            draft.add(GoogleFileRule.emulator, uri.quoted)
        } else if !googleTokenURIs.contains(uri) {
            draft.add(GoogleFileRule.tokenURI, uri.quoted)
        }
        guard !draft.hasErrors else { return }
        draft.answer(.token("400 invalid_grant, Invalid JWT Signature., if the key was deleted", .observed))
        draft.answer(
            .google(
                "403 PERMISSION_DENIED with IAM_PERMISSION_DENIED, if the account may not send for the project",
                .observed))
    }

    private static func checkNames(_ root: JSONView, _ draft: inout InspectionDraft) {
        if let email = root["client_email"]?.string, !email.isEmpty {
            draft.note("account: \(email.quoted)")
            draft.links.account = email
            if !email.contains("@") { draft.add(GoogleFileRule.email, email.quoted) }
        } else {
            draft.add(GoogleFileRule.missing, "client_email")
        }
        if let project = root["project_id"]?.string, !project.isEmpty {
            draft.note("project: \(project.quoted)")
            draft.links.project = project
        } else {
            draft.add(GoogleFileRule.missing, "project_id")
        }
        if let id = root["private_key_id"]?.string { draft.note("key id: \(id.quoted)") }
    }

    private static func checkKey(_ root: JSONView, _ subject: Subject, _ draft: inout InspectionDraft) {
        guard var pem = root["private_key"]?.string, !pem.isEmpty else { return draft.add(GoogleFileRule.noKey) }
        guard pem.utf8.count <= maximumKey else { return draft.add(GoogleFileRule.keyDamaged, "it is too long") }
        if pem.includes("\\n") {
            draft.add(GoogleFileRule.keyEscapes)
            pem = PEMText.unescaped(pem)
        }
        do throws(CryptoError) {
            let key = try PrivateKey(pem: Array(pem.utf8))
            draft.note("private key: \(key.form.text)")
            KeyInspection.link(key.publicKey, &draft)
            if key.algorithm != .rs256 { draft.add(GoogleFileRule.keyKind, key.form.text) }
        } catch {
            draft.add(GoogleFileRule.keyDamaged, error.reason)
        }
    }
}
