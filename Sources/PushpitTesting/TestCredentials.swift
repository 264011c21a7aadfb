internal import Credentials
internal import Platform

/// The keys and certificates of a live gateway: the paths of the PEM files and of the service account's JSON file, and
/// the ids that go with the key.
public struct TestCredentials: Sendable {
    public let directory: String
    /// The authority that a sender has to trust.
    public let authority: String
    /// A client certificate for APNs, with its key.
    public let clientCertificate: String
    public let providerKey: String
    public let keyID: String
    public let teamID: String
    /// The topic of the client certificate.
    public let topic: String
    public let serviceAccount: String

    init(_ made: Credentials) {
        directory = made.directory
        authority = made.path("ca.pem")
        clientCertificate = made.path("apns-client.pem")
        providerKey = made.path("AuthKey_\(made.keyID).p8")
        keyID = made.keyID
        teamID = made.teamID
        topic = made.topic
        serviceAccount = made.path(made.portFiles.serviceAccount)
    }

    /// The contents of a file in the directory; nil if it does not exist.
    public func read(_ name: String) throws -> [UInt8]? { try Files.read("\(directory)/\(name)") }
}
