package import APNs
package import PushCore

/// The keys and accounts that were added over the control API. Only their public keys are saved.
package struct AddedCredentials {
    package struct Key {
        package let key: ProviderKey
        package let publicPEM: [UInt8]
    }

    package struct Account {
        package let publicPEM: [UInt8]
    }

    /// By id.
    package var keys: [String: Key] = [:]
    /// By address.
    package var accounts: [String: Account] = [:]
}

extension PushEngine {
    /// Adds a provider key. From now on, provider tokens that this key signed are accepted.
    package mutating func addKey(_ key: ProviderKey, publicPEM: [UInt8]) {
        addedCredentials.keys[key.id] = AddedCredentials.Key(key: key, publicPEM: publicPEM)
        allow(key.id, key)
        changes.note(.apnsKey, key.id)
    }

    /// Adds a service account, so that it is saved.
    package mutating func addAccount(_ email: String, publicPEM: [UInt8]) {
        addedCredentials.accounts[email] = AddedCredentials.Account(publicPEM: publicPEM)
        changes.note(.serviceAccount, email)
    }

    /// Forgets a key. False if no key with this id was added.
    ///
    /// - Parameter original: the gateway's own key with this id, if it has one.
    package mutating func removeKey(_ id: String, original: ProviderKey?) -> Bool {
        guard addedCredentials.keys.removeValue(forKey: id) != nil else { return false }
        allow(id, original)
        changes.note(.apnsKey, id)
        return true
    }

    /// Accepts provider tokens that this key has signed. Without a key, tokens with this key id are refused.
    mutating func allow(_ id: String, _ key: ProviderKey?) {
        var policy = dialects.apns.policy
        policy.keys[id] = key
        setPolicy(policy)
    }

    package mutating func removeAccount(_ email: String) -> Bool {
        guard addedCredentials.accounts.removeValue(forKey: email) != nil else { return false }
        changes.note(.serviceAccount, email)
        return true
    }
}

extension AddedCredentials.Key: SavedValue {
    package func write(to writer: inout ByteWriter) {
        writer.text(key.id)
        writer.text(key.team)
        writer.optional(key.environment?.rawValue)
        writer.flag(key.topics != nil)
        writer.number(UInt64(key.topics?.count ?? 0))
        for topic in key.topics ?? [] { writer.text(topic) }
        writer.optional(key.related)
        writer.byteArray(publicPEM)
    }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (id, team, environment) = (try reader.text(), try reader.text(), try reader.optional())
        let isLimited = try reader.flag()
        let topics = try reader.list { (reader) throws(ByteReader.Damage) in try reader.text() }
        guard ProviderKey.isID(id), ProviderKey.isID(team),
            environment.map({ PushEnvironment(rawValue: $0) != nil }) ?? true
        else { throw ByteReader.Damage() }
        key = ProviderKey(
            id: id, team: team, environment: environment.flatMap(PushEnvironment.init(rawValue:)),
            topics: isLimited ? topics : nil, related: try reader.optional())
        publicPEM = try reader.byteArray()
    }
}

extension AddedCredentials.Account: SavedValue {
    package func write(to writer: inout ByteWriter) { writer.byteArray(publicPEM) }
    package init(from reader: inout ByteReader) throws(ByteReader.Damage) { publicPEM = try reader.byteArray() }
}
