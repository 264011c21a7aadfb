internal import Credentials
internal import Gateway

/// The keys and certificates of a live gateway: paths of PEM files, and the ids that belong to the key.
public struct TestCredentials: Sendable {
    public let authority: String
    public let clientCertificate: String
    public let providerKey: String
    public let keyID: String
    public let teamID: String
    public let topic: String
    public let serviceAccount: String

    init(_ made: Credentials) {
        authority = made.path("ca.pem")
        clientCertificate = made.path("apns-client.pem")
        providerKey = made.path("AuthKey_\(made.keyID).p8")
        keyID = made.keyID
        teamID = made.teamID
        topic = made.topic
        serviceAccount = made.path("service-account.json")
    }
}
