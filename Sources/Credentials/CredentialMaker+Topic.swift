internal import JSON
internal import TLS

/// The app that the client certificate is for.
extension CredentialMaker {
    /// The topic of the client certificate: the needed one, or else the one that the directory has.
    func topic() throws -> String {
        if let needed = needs.topic { return needed }
        let index = try read(PortFiles.index).flatMap { (try? JSONDocument(parsing: $0))?.root }
        return index?["apns"]?["topic"]?.string ?? Credentials.topic
    }

    /// Throws if the client certificate that is there does not cover the needed topic.
    func checkTopic() throws {
        let client = "apns-client.pem"
        guard let needed = needs.topic, let scope = try certificate(client)?.apnsScope else { return }
        guard scope.defaultTopic != needed, !scope.topics.contains(needed) else { return }
        let topic = scope.defaultTopic ?? scope.topics.first ?? "no topic"
        throw Credentials.Problem(
            description: "\(path(client)) is for \(topic), but --apns-topic is \(needed): name another directory with "
                + "--certs, or delete apns-client.pem and apns-client.p12 to make new ones")
    }
}
