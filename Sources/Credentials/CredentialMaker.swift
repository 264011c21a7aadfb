internal import Glibc
internal import JSON
internal import Platform
internal import PushCore
internal import TLS

/// Makes the files that are missing, and says which.
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

    /// The certificates are one set, signed at once, and its authority's key is gone: a set that is broken is left
    /// as it is, but for what can be made again from the rest.
    mutating func makeCertificates() throws {
        let signed = ["ca.pem", "server.pem", "server-key.pem", "apns-client.pem"]
        let missing = try signed.filter { name in try read(name) == nil }
        if missing.count == signed.count {
            try mintCertificates()
            return try makeContainers(anew: true)
        } else if let first = missing.first {
            throw Credentials.Problem(
                description: "\(path(first)) is missing, and nobody can sign another one: put it back, or remove "
                    + signed.filter { !missing.contains($0) }.joined(separator: ", ") + " to have new ones made")
        }
        try makeContainers(anew: false)
    }

    private mutating func mintCertificates() throws {
        let authority = try CertificateAuthority.mint(now: now)
        let hosts = ["localhost", Files.hostName] + Vendor.appleHosts + Vendor.googleHosts + ["127.0.0.1", "::1"]
        var alternatives: [SubjectAlternativeName] = []
        for host in hosts {
            let name = try SubjectAlternativeName(host)
            if !alternatives.contains(name) { alternatives.append(name) }
        }
        let server = try authority.mintServer(names: alternatives, now: now)
        let client = try authority.mintClient(ClientCertificateRequest(topic: Credentials.topic), now: now)
        try write("ca.pem", authority.certificate.pem, isSecret: false)
        try write("server.pem", server.certificate.pem, isSecret: false)
        try write("server-key.pem", server.key.pem, isSecret: true)
        try write("apns-client.pem", client.pem, isSecret: true)
        // Two years over: nobody can sign one later.
        let expired = try authority.mintServer(names: alternatives, now: now - Credentials.expiredFor)
        try write("expired.pem", expired.pem, isSecret: true)
    }

    /// The same in the forms that Java, Windows and Keychain take; `anew` where the old ones hold an old set.
    private mutating func makeContainers(anew: Bool) throws {
        guard let authority = try read("ca.pem"), let client = try read("apns-client.pem") else { return }
        let root = try Credentials.reading(path("ca.pem")) { () throws(CryptoError) in try Certificate(pem: authority) }
        if try anew || read("ca.p12") == nil {
            let store = try PKCS12.makeTrustStore(root, password: Self.password, friendlyName: "pushpit")
            try write("ca.p12", store, isSecret: false)
        }
        if try anew || read("apns-client.p12") == nil {
            let identity = try Credentials.reading(path("apns-client.pem")) { () throws(CryptoError) in
                (try PrivateKey(pem: client), try Certificate(pem: client))
            }
            let container = try PKCS12.make(
                key: identity.0, certificate: identity.1, chain: [root], password: Self.password,
                friendlyName: Credentials.topic)
            try write("apns-client.p12", container, isSecret: true)
        }
    }

    /// The ids are those of `pushpit.json`, as long as the key it names is there.
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

    /// Its token address follows the port; everything else stays.
    mutating func makeServiceAccount(port: UInt16) throws {
        let name = "service-account.json"
        let address = "https://localhost:\(port)/token"
        if let old = try read(name) {
            guard let account = try? JSONDocument(parsing: old).root, account["private_key"]?.string != nil else {
                throw Credentials.Problem(
                    description: "\(path(name)) is no service account; remove it to have one made")
            }
            guard account["token_uri"]?.string != address else { return }
            var json = JSONWriter(.pretty)
            json.object { json in
                for (key, value) in account.members {
                    guard let key = key.string else { continue }
                    if key == "token_uri" { json.member(key, address) } else { json.member(key, value) }
                }
            }
            // Not made, only moved.
            return try Files.write(json.finish() + [0x0A], to: path(name), mode: 0o600)
        }
        let email = "pushpit@\(Credentials.project).iam.gserviceaccount.com"
        var json = JSONWriter(.pretty)
        guard let pem = RSAKeySearch.run() else { throw Credentials.Problem(description: "no RSA key could be made") }
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

    /// Ten capitals and digits, as Apple's.
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
