/// What a provider may do with its client certificate.
package struct ClientCertificateScope: Hashable, Sendable {
    /// The topics of both Apple extensions, in order. A missing or malformed extension has no topics.
    package let grants: [TopicGrant]
    package let environments: PushEnvironments
    /// The subject's UID. It is the topic of a push that names no topic, if the certificate lists no topics either.
    package let defaultTopic: String?
    package let commonName: String?
    package let validity: Validity

    package init(
        grants: [TopicGrant], environments: PushEnvironments, defaultTopic: String?, commonName: String?,
        validity: Validity
    ) {
        self.grants = grants
        self.environments = environments
        self.defaultTopic = defaultTopic
        self.commonName = commonName
        self.validity = validity
    }

    /// Reads the scope from a peer's certificate. Throws if `der` is not a certificate.
    package init(der: [UInt8]) throws(CryptoError) {
        self = try Certificate(der: der).apnsScope
    }

    package var topics: [String] { grants.map(\.topic) }
    package var expiry: Int64 { validity.notAfter }
    package func isExpired(at now: Int64) -> Bool { validity.hasEnded(by: now) }
}

extension Certificate {
    /// What a provider with this certificate may do.
    package var apnsScope: ClientCertificateScope {
        var environments: PushEnvironments = []
        if value(of: .appleDevelopmentPush) != nil { environments.insert(.development) }
        if value(of: .appleProductionPush) != nil { environments.insert(.production) }
        let voIP = TopicGrant.decode(value(of: .appleVoIPTopics) ?? []).map {
            // This extension is only for VoIP, so a topic without a kind means VoIP.
            $0.kinds.isEmpty ? TopicGrant($0.topic, "voip") : $0
        }
        return ClientCertificateScope(
            grants: TopicGrant.decode(value(of: .appleTopics) ?? []) + voIP,
            environments: environments, defaultTopic: subject(.userID), commonName: subject(.commonName),
            validity: validity)
    }
}
