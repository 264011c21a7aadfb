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
    /// What the user should know about a certificate that was made again, or should have been.
    var notice: String?

    init(directory: String, now: Int64) {
        self.directory = directory
        self.now = now
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    func read(_ name: String) throws(Files.Failure) -> [UInt8]? { try Files.read(path(name)) }

    mutating func write(_ name: String, _ bytes: [UInt8], isSecret: Bool) throws(Files.Failure) {
        try Files.write(bytes, to: path(name), mode: isSecret ? 0o600 : 0o644)
        made.append(name)
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
