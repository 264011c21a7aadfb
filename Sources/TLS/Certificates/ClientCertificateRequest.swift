/// What an APNs client certificate to be made says.
package struct ClientCertificateRequest: Hashable, Sendable {
    /// The app's bundle id: the subject's UID and the first topic.
    package var topic: String
    /// Nil lists `topic`, `topic.voip` and `topic.complication`; an empty list leaves the extension out.
    package var grants: [TopicGrant]?
    package var environments: PushEnvironments
    /// Nil for 800 days from now. A past one makes a certificate that is expired from the start.
    package var validity: Validity?

    package init(
        topic: String, grants: [TopicGrant]? = nil, environments: PushEnvironments = .both,
        validity: Validity? = nil
    ) {
        self.topic = topic
        self.grants = grants
        self.environments = environments
        self.validity = validity
    }

    /// Apple's wording, by which people tell certificates apart.
    package var commonName: String {
        switch environments {
        case .development: "Apple Development IOS Push Services: \(topic)"
        case .production: "Apple Production IOS Push Services: \(topic)"
        default: "Apple Push Services: \(topic)"
        }
    }

    var fields: [CertificateTemplate.Field] {
        var fields: [CertificateTemplate.Field] = []
        func add(_ kind: CertificateExtension, _ value: [UInt8]) {
            fields.append(.init(kind: kind, isCritical: false, value: value))
        }
        if environments.contains(.development) { add(.appleDevelopmentPush, DERWriter.null) }
        if environments.contains(.production) { add(.appleProductionPush, DERWriter.null) }
        let grants = grants ?? Self.usualGrants(of: topic)
        if !grants.isEmpty { add(.appleTopics, TopicGrant.encode(grants)) }
        return fields
    }

    private static func usualGrants(of topic: String) -> [TopicGrant] {
        [
            TopicGrant(topic, "app"), TopicGrant(topic + ".voip", "voip"),
            TopicGrant(topic + ".complication", "complication"),
        ]
    }
}
