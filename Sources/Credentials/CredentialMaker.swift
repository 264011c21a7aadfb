internal import Glibc
internal import JSON
internal import Platform
internal import PushCore
internal import TLS

/// Creates the missing credential files and collects their names in `made`.
struct CredentialMaker {
    let directory: String
    let needs: Credentials.Needs
    let now: Int64
    /// Whether to replace server and client certificates that do not fit the other files. A reload does not: the user
    /// may be about to replace the other files too.
    let repairs: Bool
    var made: [String] = []
    /// What the user should know about the files, one line for each; nil if there is nothing.
    var notice: String?

    init(directory: String, needs: Credentials.Needs, now: Int64, repairs: Bool) {
        self.directory = directory
        self.needs = needs
        self.now = now
        self.repairs = repairs
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    func read(_ name: String) throws(Files.Failure) -> [UInt8]? { try Files.read(path(name)) }

    /// Who needs to read a file.
    enum Reader { case everyone, senders, gateway }

    func mode(for reader: Reader) -> UInt32 {
        switch reader {
        case .everyone: 0o644
        case .senders: needs.areShared ? 0o644 : 0o600
        case .gateway: 0o600
        }
    }

    mutating func write(_ name: String, _ bytes: [UInt8], for reader: Reader) throws(Files.Failure) {
        try Files.write(bytes, to: path(name), mode: mode(for: reader))
        made.append(name)
    }

    /// Lets every user of this machine read files that were made before.
    mutating func share(_ names: [String]) {
        for name in names {
            do throws(Files.Failure) { try Files.setMode(mode(for: .senders), of: path(name)) } catch {
                note("Other users can't read \(path(name)): \(error).")
            }
        }
    }

    /// Adds a line to `notice`.
    mutating func note(_ text: String) { notice = (notice.map { $0 + "\n" } ?? "") + text.onOneLine }

    /// Creates the key for APNs provider tokens, unless `pushpit.json` names one whose file exists.
    mutating func makeProviderKey() throws -> (keyID: String, teamID: String) {
        let old = try providerKey()
        if let old, try read(Self.keyFile(old.keyID)) != nil { return old }
        let hadKey = old != nil || Files.names(in: directory).contains { $0.hasPrefix("AuthKey_") }
        let (keyID, teamID) = (try Self.makeID(), try Self.makeID())
        try write(Self.keyFile(keyID), PrivateKey.generateP256().pem, for: .senders)
        if hadKey {
            let missing = old.map { Self.keyFile($0.keyID) } ?? PortFiles.index
            let text =
                "\(path(missing)) was missing, so there is a new APNs key: give senders \(path(Self.keyFile(keyID))), "
                + "the key id \(keyID) and the team id \(teamID), or add the old key with --apns-key FILE:KEYID:TEAMID."
            note(text)
        }
        return (keyID, teamID)
    }

    /// The key that `pushpit.json` names; nil without this file.
    private func providerKey() throws -> (keyID: String, teamID: String)? {
        guard let index = try read(PortFiles.index) else { return nil }
        guard let apns = try? JSONDocument(parsing: index).root["apns"], let keyID = apns["keyId"]?.string,
            let teamID = apns["teamId"]?.string
        else {
            throw Credentials.Problem(
                description: "\(path(PortFiles.index)) does not name a key (apns.keyId and apns.teamId); "
                    + "repair it, or delete it to make a new key")
        }
        return (keyID, teamID)
    }

    static func keyFile(_ keyID: String) -> String { "AuthKey_\(keyID).p8" }

    /// The names of the files that contain the port. If another running gateway uses the files with the usual names,
    /// they stay as they are, and this gateway gets separate files.
    func portFiles(isGatewayRunning: (UInt16) -> Bool) throws -> PortFiles {
        guard let port = needs.port else { return PortFiles() }
        let address = try read(PortFiles.serviceAccount).flatMap { bytes in
            (try? JSONDocument(parsing: bytes))?.root["token_uri"]?.string
        }
        let other = try address.flatMap(self.port(in:))
        // Always called, even if the result is not needed: when a gateway starts, the call also tries to lock the
        // directory for this gateway.
        let isShared = isGatewayRunning(other ?? port)
        guard let other, other != port, isShared else { return PortFiles() }
        return PortFiles(of: port, besides: other)
    }

    /// Where senders get their access tokens.
    private func tokenAddress(_ port: UInt16) -> String { "\(needs.url(port))/token" }

    /// The port of a gateway's own address; nil if its host is not in the server certificate.
    private func port(in address: String) throws -> UInt16? {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "https:", parts[1].isEmpty, parts[3] == "token",
            let colon = parts[2].lastIndex(of: ":"), let port = UInt16(parts[2][colon...].dropFirst())
        else { return nil }
        let host = parts[2][..<colon].filter { $0 != "[" && $0 != "]" }
        let isOwn = try host == "localhost" || certificate("server.pem")?.matches(host: String(host)) == true
        return isOwn ? port : nil
    }

    /// Creates the FCM service account. If it exists, only its `token_uri` changes to the current port.
    ///
    /// - Parameter file: the file for this port. If it is not the usual file, it gets a copy of the account in the usual
    ///   file.
    mutating func makeServiceAccount(in file: String) throws {
        let name = PortFiles.serviceAccount
        if let old = try read(name) {
            guard let account = try? JSONDocument(parsing: old).root, account["private_key"]?.string != nil else {
                throw Credentials.Problem(
                    description: "\(path(name)) is not a service account; delete it to make a new one")
            }
            guard let address = needs.port.map(tokenAddress),
                file != name || account["token_uri"]?.string != address
            else { return }
            let text = ServiceAccountFile.text(account, tokenURI: address)
            let isNew = try read(file) == nil
            do { try Files.write(text, to: path(file), mode: mode(for: .senders)) } catch {
                return note(
                    "\(path(name)) still names another address: \(error). Give FCM senders a copy "
                        + "with \(address) in token_uri.")
            }
            // An existing file is not added to `made`: the account is the same as before.
            if isNew { made.append(file) }
            return
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
            json.member("token_uri", tokenAddress(needs.port ?? Credentials.usualPort))
            json.member("universe_domain", "googleapis.com")
        }
        try write(name, json.finish() + [0x0A], for: .senders)
    }

    /// The URL that the index has now; nil without an index or a URL in it.
    func indexedURL() throws -> String? {
        guard let index = try read(PortFiles.index) else { return nil }
        return (try? JSONDocument(parsing: index))?.root["url"]?.string
    }

    mutating func write(_ index: CredentialIndex, to name: String) throws {
        var json = JSONWriter(.pretty)
        json.object { index.write(to: &$0) }
        let bytes = json.finish() + [0x0A]
        let old = try read(name)
        if old == bytes { return }
        do {
            try Files.write(bytes, to: path(name), mode: mode(for: .everyone))
            // The name is added only if paths or ids have changed, not if only the URL or the version has.
            if !Self.haveSameCredentials(old, bytes) { made.append(name) }
        } catch {
            // A complete directory that can't be written to is used as it is.
            guard try read(PortFiles.index) != nil else { throw error }
            note("\(path(name)) may name files of another directory: \(error).")
        }
    }

    private static func haveSameCredentials(_ old: [UInt8]?, _ new: [UInt8]) -> Bool {
        guard let old = old.flatMap({ try? JSONDocument(parsing: $0).root }),
            let new = try? JSONDocument(parsing: new).root
        else { return false }
        return ["ca", "apns", "fcm"].allSatisfy { old[$0]?.source == new[$0]?.source }
    }

    /// A random id of ten capital letters and digits, like Apple's.
    private static func makeID() throws -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
        return String(decoding: try SecureRandom.bytes(10).map { alphabet[Int($0) % alphabet.count] }, as: UTF8.self)
    }
}
