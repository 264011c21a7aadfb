internal import Glibc
internal import JSON
internal import Platform
internal import PushCore
internal import TLS

/// Creates the missing credential files and collects their names in `made`.
struct CredentialMaker {
    let directory: String
    let now: Int64
    var made: [String] = []

    init(directory: String, now: Int64) {
        self.directory = directory
        self.now = now
    }

    private static let password = "pushpit"

    private func path(_ name: String) -> String { "\(directory)/\(name)" }

    private func read(_ name: String) throws(Files.Failure) -> [UInt8]? { try Files.read(path(name)) }

    private mutating func write(_ name: String, _ bytes: [UInt8], isSecret: Bool) throws(Files.Failure) {
        try Files.write(bytes, to: path(name), mode: isSecret ? 0o600 : 0o644)
        made.append(name)
    }

    /// Creates all certificates if there are none.
    ///
    /// They are one set: the authority signs all of them at once, and then its key is discarded. A single missing
    /// certificate therefore cannot be replaced and is an error. Only the PKCS#12 files can be created again.
    mutating func makeCertificates() throws {
        let signed = ["ca.pem", "server.pem", "server-key.pem", "apns-client.pem"]
        let missing = try signed.filter { name in try read(name) == nil }
        if missing.count == signed.count {
            try createCertificates()
            return try makePKCS12Files(replacing: true)
        } else if let first = missing.first {
            throw Credentials.Problem(
                description: "\(path(first)) is missing and cannot be signed again: restore it, or delete "
                    + signed.filter { !missing.contains($0) }.joined(separator: ", ") + " to make new certificates")
        }
        try makePKCS12Files(replacing: false)
    }

    private mutating func createCertificates() throws {
        let authority = try CertificateAuthority.create(now: now)
        let hosts = ["localhost", Files.hostName] + Vendor.appleHosts + Vendor.googleHosts + ["127.0.0.1", "::1"]
        var alternatives: [SubjectAlternativeName] = []
        for host in hosts {
            let name = try SubjectAlternativeName(host)
            if !alternatives.contains(name) { alternatives.append(name) }
        }
        let server = try authority.issueServerCertificate(names: alternatives, now: now)
        let client = try authority.issueClientCertificate(ClientCertificateRequest(topic: Credentials.topic), now: now)
        try write("ca.pem", authority.certificate.pem, isSecret: false)
        try write("server.pem", server.certificate.pem, isSecret: false)
        try write("server-key.pem", server.key.pem, isSecret: true)
        try write("apns-client.pem", client.pem, isSecret: true)
        // Created now because the authority cannot sign later. Its validity is in the past.
        let expired = try authority.issueServerCertificate(
            names: alternatives, now: now - Credentials.expiredCertificateAge)
        try write("expired.pem", expired.pem, isSecret: true)
    }

    /// Packs the certificates into PKCS#12 files for Java, Windows and Keychain.
    ///
    /// - Parameter replacing: overwrite existing files, which hold the previous set of certificates.
    private mutating func makePKCS12Files(replacing: Bool) throws {
        guard let authority = try read("ca.pem"), let client = try read("apns-client.pem") else { return }
        let root = try Credentials.reading(path("ca.pem")) { () throws(CryptoError) in try Certificate(pem: authority) }
        if try replacing || read("ca.p12") == nil {
            let store = try PKCS12.makeTrustStore(root, password: Self.password, friendlyName: "pushpit")
            try write("ca.p12", store, isSecret: false)
        }
        if try replacing || read("apns-client.p12") == nil {
            let identity = try Credentials.reading(path("apns-client.pem")) { () throws(CryptoError) in
                (try PrivateKey(pem: client), try Certificate(pem: client))
            }
            let container = try PKCS12.make(
                key: identity.0, certificate: identity.1, password: Self.password, friendlyName: Credentials.topic)
            try write("apns-client.p12", container, isSecret: true)
        }
    }

    /// Creates the key for APNs provider tokens, unless `pushpit.json` names one whose file exists.
    mutating func makeProviderKey() throws -> (keyID: String, teamID: String) {
        if let index = try read("pushpit.json"), let apns = try? JSONDocument(parsing: index).root["apns"],
            let keyID = apns["keyId"]?.string, let teamID = apns["teamId"]?.string,
            try read("AuthKey_\(keyID).p8") != nil
        {
            return (keyID, teamID)
        }
        let keyID = try Self.makeID()
        let teamID = try Self.makeID()
        try write("AuthKey_\(keyID).p8", PrivateKey.generateP256().pem, isSecret: true)
        return (keyID, teamID)
    }

    /// Creates the FCM service account. If it exists, only its `token_uri` changes to the current port.
    mutating func makeServiceAccount(port: UInt16) throws {
        let name = "service-account.json"
        let address = "https://localhost:\(port)/token"
        if let old = try read(name) {
            guard let account = try? JSONDocument(parsing: old).root, account["private_key"]?.string != nil else {
                throw Credentials.Problem(
                    description: "\(path(name)) is not a service account; delete it to make a new one")
            }
            guard account["token_uri"]?.string != address else { return }
            var json = JSONWriter(.pretty)
            json.object { json in
                for (key, value) in account.members {
                    guard let key = key.string else { continue }
                    if key == "token_uri" { json.member(key, address) } else { json.member(key, value) }
                }
            }
            // Not added to `made`: the account is the same as before.
            return try Files.write(json.finish() + [0x0A], to: path(name), mode: 0o600)
        }
        let email = "pushpit@\(Credentials.project).iam.gserviceaccount.com"
        var json = JSONWriter(.pretty)
        guard let pem = RSAKeySearch.run() else { throw Credentials.Problem(description: "cannot make an RSA key") }
        let keyID = try SecureRandom.bytes(20).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        json.object { json in
            json.member("type", "service_account")
            json.member("project_id", Credentials.project)
            json.member("private_key_id", keyID)
            json.member("private_key", String(decoding: pem, as: UTF8.self))
            json.member("client_email", email)
            json.member("client_id", "100000000000000000000")
            json.member("auth_uri", "https://accounts.google.com/o/oauth2/auth")
            json.member("token_uri", address)
            json.member("universe_domain", "googleapis.com")
        }
        try write(name, json.finish() + [0x0A], isSecret: true)
    }

    mutating func writeIndex(keyID: String, teamID: String) throws {
        let absolute = Self.absolute(directory)
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("ca", "\(absolute)/ca.pem")
            json.key("apns")
            json.object { json in
                json.member("key", "\(absolute)/AuthKey_\(keyID).p8")
                json.member("keyId", keyID)
                json.member("teamId", teamID)
                json.member("topic", Credentials.topic)
                json.member("clientCertificate", "\(absolute)/apns-client.pem")
            }
            json.key("fcm")
            json.object { json in
                json.member("project", Credentials.project)
                json.member("serviceAccount", "\(absolute)/service-account.json")
            }
        }
        let bytes = json.finish() + [0x0A]
        if try read("pushpit.json") != bytes { try write("pushpit.json", bytes, isSecret: false) }
    }

    /// A random id of ten capital letters and digits, like Apple's.
    private static func makeID() throws -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
        return String(decoding: try SecureRandom.bytes(10).map { alphabet[Int($0) % alphabet.count] }, as: UTF8.self)
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(current) }
        return "\(unsafe String(cString: current))/\(path)"
    }
}
