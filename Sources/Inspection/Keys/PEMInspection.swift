internal import PushCore
internal import TLS

/// Inspects PEM: keys, certificates and requests.
enum PEMInspection {
    static func inspect(_ subject: Subject, _ draft: inout InspectionDraft) {
        var text = subject.text
        if !text.contains("\n"), text.includes("\\n") {
            draft.add(KeyRule.escapedLines)
            text = PEMText.unescaped(text)
        }
        let pem = PEMText(text)
        let bytes = Array("\(text)\n".utf8)
        if let block = pem.blocks.first(where: { !$0.isComplete }) {
            draft.add(KeyRule.noEnd, block.label, block.label)
        }
        let hasCertificate = PEMText.certificates.contains { pem.has($0) }
        if hasCertificate {
            draft.kind = pem.privateKey == nil ? .certificate : .clientIdentity
            inspectCertificate(bytes, pem, subject, &draft)
        } else if let block = pem.privateKey {
            draft.kind = .privateKey
            inspectKey(bytes, block, subject, &draft)
        } else if PEMText.requests.contains(where: { pem.has($0) }) {
            draft.kind = .certificateRequest
            draft.add(KeyRule.request)
        } else if pem.has("PUBLIC KEY") {
            draft.kind = .publicKey
            inspectPublicKey(bytes, &draft)
        } else {
            draft.add(KeyRule.otherLabel, (pem.foreignLabel ?? "EC PARAMETERS").quoted)
        }
    }

    private static func inspectKey(
        _ bytes: [UInt8], _ block: PEMText.Block, _ subject: Subject, _ draft: inout InspectionDraft
    ) {
        if block.label == "OPENSSH PRIVATE KEY" { return draft.add(KeyRule.openSSH) }
        if block.isEncrypted { return draft.add(KeyRule.encrypted) }
        do throws(CryptoError) {
            KeyInspection.inspect(try PrivateKey(pem: bytes), subject, &draft)
        } catch {
            return draft.add(KeyRule.damaged, "private key", error.reason)
        }
        if block.label != "PRIVATE KEY" { draft.add(KeyRule.olderFormat, block.label) }
    }

    private static func inspectPublicKey(_ bytes: [UInt8], _ draft: inout InspectionDraft) {
        do throws(CryptoError) {
            let key = try PublicKey(pem: bytes)
            draft.add(KeyRule.publicKey, key.form.text)
            KeyInspection.link(key, &draft)
        } catch {
            draft.add(KeyRule.damaged, "public key", error.reason)
        }
    }

    private static func inspectCertificate(
        _ bytes: [UInt8], _ pem: PEMText, _ subject: Subject, _ draft: inout InspectionDraft
    ) {
        do throws(CryptoError) {
            let certificate = try Certificate(pem: bytes)
            CertificateInspection.inspect(certificate, subject, &draft)
            guard let block = pem.privateKey else { return draft.add(CertificateRule.noKey) }
            if block.isEncrypted { return draft.add(KeyRule.encrypted) }
            if !certificate.belongs(to: try PrivateKey(pem: bytes)) { draft.add(CertificateRule.otherKey) }
        } catch {
            draft.add(KeyRule.damaged, draft.facts.isEmpty ? "certificate" : "private key", error.reason)
        }
    }
}
