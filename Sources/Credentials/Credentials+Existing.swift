internal import JSON
internal import Platform

extension Credentials {
    /// Reads the credentials of a gateway that runs already, without making or changing any.
    package static func existing(in directory: String) throws(Problem) -> Credentials {
        guard let bytes = try file(PortFiles.index, in: directory),
            let index = (try? JSONDocument(parsing: bytes))?.root, let apns = index["apns"],
            let keyID = apns["keyId"]?.string, let teamID = apns["teamId"]?.string,
            let authority = try file("ca.pem", in: directory)
        else { throw .missing(in: directory) }
        let portFiles = PortFiles()
        for name in ["AuthKey_\(keyID).p8", "apns-client.pem", "apns-client.p12", portFiles.serviceAccount] {
            guard try file(name, in: directory) != nil else { throw .missing(in: directory) }
        }
        return Credentials(
            directory: directory, authority: authority, servers: [], keyID: keyID, teamID: teamID, topic: topic,
            project: project, made: [], notice: nil, portFiles: portFiles,
            index: CredentialIndex(
                directory: directory, keyID: keyID, teamID: teamID, serviceAccount: portFiles.serviceAccount,
                url: index["url"]?.string))
    }

    private static func file(_ name: String, in directory: String) throws(Problem) -> [UInt8]? {
        do throws(Files.Failure) { return try Files.read("\(directory)/\(name)") } catch {
            throw Problem(description: "\(error)")
        }
    }
}
