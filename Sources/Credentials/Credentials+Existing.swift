internal import JSON
internal import Platform

extension Credentials {
    /// Reads the credentials of a gateway that runs already, without making or changing any.
    package static func existing(in directory: String) throws(Problem) -> Credentials {
        let bytes = try required(PortFiles.index, in: directory)
        guard let index = (try? JSONDocument(parsing: bytes))?.root, let apns = index["apns"],
            let keyID = apns["keyId"]?.string, let teamID = apns["teamId"]?.string,
            let topic = apns["topic"]?.string
        else { throw .missing(PortFiles.index, in: directory) }
        let authority = try required("ca.pem", in: directory)
        let portFiles = PortFiles()
        for name in ["AuthKey_\(keyID).p8", "apns-client.pem", "apns-client.p12", portFiles.serviceAccount] {
            _ = try required(name, in: directory)
        }
        return Credentials(
            directory: directory, authority: authority, servers: [], keyID: keyID, teamID: teamID, topic: topic,
            project: project, made: [], notice: nil, portFiles: portFiles,
            index: CredentialIndex(
                directory: directory, key: (keyID, teamID), serviceAccount: portFiles.serviceAccount, topic: topic,
                url: index["url"]?.string))
    }

    /// The content of a file that every set of credentials has.
    package static func required(_ file: String, in directory: String) throws(Problem) -> [UInt8] {
        do throws(Files.Failure) {
            if let bytes = try Files.read("\(directory)/\(file)") { return bytes }
        } catch {
            throw Problem(description: "\(error)")
        }
        throw .missing(file, in: directory)
    }
}
