internal import Platform
internal import TLS

/// Making and checking the files of a directory, by one process at a time.
extension Credentials {
    /// Reads the credentials and creates the missing ones.
    ///
    /// - Parameters:
    ///   - occasion: whether to wait for another process that prepares the directory, and to repair files.
    ///   - isGatewayRunning: returns whether another running gateway uses the files with the usual names. The
    ///     closure receives the port in the service account's `token_uri`, or the needed port if there is no service
    ///     account. Called once, unless no port is needed.
    package static func prepare(
        in directory: String, for needs: Needs, now: Int64, on occasion: Occasion = .start,
        isGatewayRunning: (UInt16) -> Bool = { _ in false }
    ) throws(Problem) -> Credentials {
        precondition(TLSLibrary.isStarted, "OpenSSL did not start")
        do {
            try Files.makeDirectory(directory)
            let held = try lock(directory, occasion)
            defer { withExtendedLifetime(held) {} }
            var maker = CredentialMaker(directory: directory, needs: needs, now: now, repairs: occasion == .start)
            try maker.checkTopic()
            try maker.makeCertificates()
            let (keyID, teamID) = try maker.makeProviderKey()
            let portFiles = try maker.portFiles(isGatewayRunning: isGatewayRunning)
            try maker.makeServiceAccount(in: portFiles.serviceAccount)
            let index = CredentialIndex(
                directory: directory, key: (keyID, teamID), serviceAccount: portFiles.serviceAccount,
                topic: try maker.topic(), url: try needs.port.map(needs.url) ?? maker.indexedURL())
            try maker.write(index, to: portFiles.index)
            if needs.areShared { maker.share(Self.filesOfSenders(keyID: keyID, portFiles)) }
            guard let authority = try Files.read("\(directory)/ca.pem"),
                let chain = try Files.read("\(directory)/server.pem"),
                let key = try Files.read("\(directory)/server-key.pem")
            else { throw Problem(description: "a certificate has disappeared from \(directory)") }
            let identity = TLSIdentity(certificateChain: chain, privateKey: key)
            try check(authority, identity, directory, now)
            let credentials = Credentials(
                directory: directory, authority: authority,
                servers: [identity] + (try additionalServers(in: directory)),
                keyID: keyID, teamID: teamID,
                topic: index.topic, project: project, made: maker.made, notice: maker.notice,
                portFiles: portFiles, index: index)
            _ = try credentials.tlsServerContext()
            return credentials
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(description: "\(error)")
        }
    }

    /// The files with secrets that senders need.
    private static func filesOfSenders(keyID: String, _ portFiles: PortFiles) -> [String] {
        [CredentialMaker.keyFile(keyID), "apns-client.pem", "apns-client.p12", portFiles.serviceAccount]
    }

    package enum Occasion {
        /// Waits for another process, and repairs files that do not fit together.
        case start
        /// Never waits, because it runs on the loop's thread, and leaves files that do not fit together as they are.
        case reload

        /// In milliseconds.
        fileprivate var patience: Int { self == .start ? 10_000 : 0 }
    }

    /// Waits until no other process prepares the directory. Returns nil if the directory can't be locked.
    private static func lock(_ directory: String, _ occasion: Occasion) throws(Problem) -> FileLock? {
        let path = "\(directory)/\(lockFile)"
        switch FileLock.take(path, patience: occasion.patience) {
        case .impossible: return nil
        case .busy:
            throw Problem(
                description: "another process is making or checking the credentials in \(directory), and \(path) is "
                    + "still locked: try again when that process is done, or end it")
        case .taken(let lock):
            // Temporary files that are here now are from a process that was killed: one that is still writing would
            // hold the lock.
            Files.removeTemporaries(in: directory)
            return lock
        }
    }

    /// Locked while the directory is prepared. It stays there, because another process may have it open already.
    static let lockFile = ".pushpit.lock"

    /// Certificates that the user added: `server-NAME.pem` with `server-NAME-key.pem`, from any authority.
    private static func additionalServers(in directory: String) throws -> [TLSIdentity] {
        let affixes = (start: "server-", key: "-key.pem", end: ".pem")
        return try Files.names(in: directory).compactMap { name in
            guard name.hasPrefix(affixes.start), name.hasSuffix(affixes.end), !name.hasSuffix(affixes.key),
                name != affixes.start + "key.pem"
            else { return nil }
            let path = "\(directory)/\(name)"
            let keyPath = String(path.dropLast(affixes.end.count)) + affixes.key
            guard let chain = try Files.read(path) else { return nil }
            guard let key = try Files.read(keyPath) else {
                throw Problem(description: "\(path) has no key: put it into \(keyPath)")
            }
            let identity = TLSIdentity(certificateChain: chain, privateKey: key)
            do throws(TLSFailure) { _ = try TLSContext(server: [identity], clientAuthority: chain) } catch {
                throw Problem(description: "\(path) and \(keyPath) do not belong together: \(error)")
            }
            return identity
        }
    }

    private static func check(
        _ authority: [UInt8], _ server: TLSIdentity, _ directory: String, _ now: Int64
    ) throws(Problem) {
        let root = try reading("\(directory)/ca.pem", remedy: remake) { () throws(CryptoError) in
            try Certificate(pem: authority)
        }
        let leaf = try reading("\(directory)/server.pem", remedy: remakeOne) { () throws(CryptoError) in
            try Certificate(pem: server.certificateChain)
        }
        do throws(CryptoError) { try leaf.verify(against: root, for: .server, at: now) } catch {
            throw Problem(
                description:
                    "\(directory)/server.pem is not valid under \(directory)/ca.pem: \(error.reason). \(remake)")
        }
        _ = try reading("\(directory)/server-key.pem", remedy: remakeOne) { () throws(CryptoError) in
            try PrivateKey(pem: server.privateKey)
        }
    }
}
