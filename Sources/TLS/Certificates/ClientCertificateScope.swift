/// What a provider may do with its client certificate, as a plain value.
package struct ClientCertificateScope: Hashable, Sendable {
    /// The topics of both Apple extensions, in order. Empty if there are none or they are malformed.
    package let grants: [TopicGrant]
    package let environments: PushEnvironments
    /// The subject's UID.
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

    /// From a peer's certificate. Throws if that is no certificate at all.
    package init(der: [UInt8]) throws(CryptoError) {
        self = try Certificate(der: der).apnsScope
    }

    package var topics: [String] { grants.map(\.topic) }
    package var expiry: Int64 { validity.notAfter }
    package func isExpired(at now: Int64) -> Bool { validity.hasEnded(by: now) }
}

extension Certificate {
    package var apnsScope: ClientCertificateScope {
        var environments: PushEnvironments = []
        if value(of: .appleDevelopmentPush) != nil { environments.insert(.development) }
        if value(of: .appleProductionPush) != nil { environments.insert(.production) }
        let voIP = TopicGrant.decode(value(of: .appleVoIPTopics) ?? []).map {
            // This list is about VoIP; a topic in it needs no kind to say so.
            $0.kinds.isEmpty ? TopicGrant($0.topic, "voip") : $0
        }
        return ClientCertificateScope(
            grants: TopicGrant.decode(value(of: .appleTopics) ?? []) + voIP,
            environments: environments, defaultTopic: subject(.userID), commonName: subject(.commonName),
            validity: validity)
    }
}
