/// The contents of an APNs client certificate to create.
package struct ClientCertificateRequest: Hashable, Sendable {
    /// The app's bundle id. It becomes the subject's UID and, if `grants` is nil, the first topic.
    package var topic: String
    /// The topics to list. Nil means `topic`, `topic.voip` and `topic.complication`; an empty list leaves the extension
    /// out.
    package var grants: [TopicGrant]?
    package var environments: PushEnvironments
    /// Nil means 800 days from now. With dates in the past, the certificate is already expired.
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

    /// The common name, worded as in Apple's certificates.
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
        let grants = grants ?? Self.defaultGrants(of: topic)
        if !grants.isEmpty { add(.appleTopics, TopicGrant.encode(grants)) }
        return fields
    }

    private static func defaultGrants(of topic: String) -> [TopicGrant] {
        [
            TopicGrant(topic, "app"), TopicGrant(topic + ".voip", "voip"),
            TopicGrant(topic + ".complication", "complication"),
        ]
    }
}
