package import PushCore

/// Finds devices by their tokens, and maintains the indexes for that.
extension DeviceRegistry {
    /// The device bound to an APNs token; nil if the token is unknown.
    package func binding(of token: DeviceToken, at now: Timestamp, _ rule: UnregisterRule) -> TokenBinding? {
        if let slot = byAPNsToken[token] {
            return binding(slot, devices[slot].isImplicit ? .any : .app, at: now, rule)
        }
        if let owner = byActivityToken[token] { return binding(owner.slot, .liveActivity, at: now, rule) }
        if let owner = byOtherToken[token] { return binding(owner.slot, .other(owner.kind), at: now, rule) }
        guard let owner = retired.owner(of: token), let slot = slot(of: owner.device) else { return nil }
        return TokenBinding(
            slot: slot, app: devices[slot].app, environment: devices[slot].environment, kind: owner.kind,
            unregistered: owner.since)
    }

    private func binding(_ slot: Int, _ kind: TokenBinding.Kind, at now: Timestamp, _ rule: UnregisterRule)
        -> TokenBinding
    {
        TokenBinding(
            slot: slot, app: devices[slot].app, environment: devices[slot].environment, kind: kind,
            unregistered: devices[slot].unregisteredSince.flatMap {
                rule.unregistered(since: $0, lostPushes: devices[slot].lostPushes, at: now)
            })
    }

    /// The device of a registration token or installation id; nil if it is unknown.
    package func slot(ofFCM token: String) -> Int? { byFCMToken[token] }

    /// The registration token of the device that has this APNs token.
    package func fcmToken(ofAPNs token: DeviceToken) -> String? { byAPNsToken[token].map { devices[$0].fcmToken } }

    /// The type of the Live Activity that a token belongs to; nil if it does not belong to one.
    package func activity(of token: DeviceToken) -> String? { byActivityToken[token]?.type }

    mutating func setToken(_ token: DeviceToken, _ slot: Int) {
        devices[slot].apnsToken = token
        byAPNsToken[token] = slot
    }

    mutating func setToken(_ token: String, _ slot: Int) {
        devices[slot].fcmToken = token
        byFCMToken[token] = slot
        byFCMToken[devices[slot].fid] = slot
    }

    mutating func forgetToken(_ token: DeviceToken, _ slot: Int) {
        devices[slot].apnsToken = nil
        byAPNsToken[token] = nil
    }

    mutating func forgetToken(_ token: String, _ slot: Int) {
        devices[slot].fcmToken = ""
        // Another device may have the same installation id by now.
        for name in [token, devices[slot].fid] where byFCMToken[name] == slot { byFCMToken[name] = nil }
    }

    static func fid(of token: String) -> String { String(token.prefix { $0 != ":" }) }
}
