package import PushCore

/// Changes to the tokens of existing devices.
extension DeviceRegistry {
    /// A change of a token. `old` is nil if there was none before, and `new` is nil if it was deleted.
    package struct TokenChange: Sendable {
        package let provider: Provider
        /// Nil for the app's own token.
        package var kind: TokenKind?
        package let old: String?
        package let new: String?
    }

    /// The newest tokens that were replaced or deleted. A service treats pushes to them like pushes to an uninstalled
    /// app.
    ///
    /// When one of the two tables reaches `capacity`, all of its entries are forgotten. Entries of removed devices stay
    /// until then.
    struct RetiredTokens: Sendable {
        private var fcm: [String: DeviceRef] = [:]
        private var apns: [DeviceToken: (device: DeviceRef, kind: TokenBinding.Kind, since: Timestamp)] = [:]
        private static let capacity = 10_000

        mutating func retire(_ token: String, of device: DeviceRef) {
            if fcm.count >= Self.capacity { fcm = [:] }
            fcm[token] = device
        }

        mutating func retire(_ token: DeviceToken, _ kind: TokenBinding.Kind, of device: DeviceRef, at now: Timestamp) {
            if apns.count >= Self.capacity { apns = [:] }
            apns[token] = (device, kind, now)
        }

        func owner(of token: String) -> DeviceRef? { fcm.isEmpty ? nil : fcm[token] }
        func owner(of token: DeviceToken) -> (device: DeviceRef, kind: TokenBinding.Kind, since: Timestamp)? {
            apns.isEmpty ? nil : apns[token]
        }
    }

    /// Gives the device a new token. Nil if its platform has no tokens of that service.
    package mutating func rotate(
        _ provider: Provider, _ slot: Int, at now: Timestamp, isNewInstallation: Bool = false,
        using generator: inout Random
    ) -> TokenChange? {
        guard provider == .fcm || provider == .apns && devices[slot].platform == .ios else { return nil }
        let old = takeToken(provider, slot, at: now)
        switch provider {
        case .apns:
            let token = DeviceToken(using: &generator)
            setToken(token, slot)
            return TokenChange(provider: provider, old: old, new: token.hex)
        case .fcm:
            let made = FCMTokens.make(for: devices[slot].platform, using: &generator)
            if isNewInstallation || devices[slot].fid.isEmpty { devices[slot].fid = Self.fid(of: made) }
            let token = devices[slot].fid + made.drop { $0 != ":" }
            setToken(token, slot)
            return TokenChange(provider: provider, old: old, new: token)
        case .webpush: return nil
        }
    }

    /// Gives a real receiver the token that Firebase has made for it. Nil if it has that token already.
    package mutating func register(_ token: String, _ slot: Int, at now: Timestamp) -> TokenChange? {
        guard devices[slot].fcmToken != token else { return nil }
        let old = takeToken(.fcm, slot, at: now)
        devices[slot].fid = Self.fid(of: token)
        setToken(token, slot)
        return TokenChange(provider: .fcm, old: old, new: token)
    }

    /// Deletes the device's token. Nil if it has none.
    package mutating func deleteToken(_ provider: Provider, _ slot: Int, at now: Timestamp) -> TokenChange? {
        takeToken(provider, slot, at: now).map { TokenChange(provider: provider, old: $0, new: nil) }
    }

    /// Ends the push subscription of a browser whose site may not show notifications: its token becomes invalid, and
    /// its topic subscriptions end. Nil if the site may show notifications, or if the browser has no token, is not
    /// running or is offline.
    package mutating func endSubscription(_ slot: Int, at now: Timestamp) -> TokenChange? {
        guard devices[slot].platform == .web, devices[slot].state.permission != .authorized,
            devices[slot].state.online, !devices[slot].isClosedBrowser,
            let change = deleteToken(.fcm, slot, at: now)
        else { return nil }
        unsubscribeAll(slot)
        return change
    }

    private mutating func takeToken(_ provider: Provider, _ slot: Int, at now: Timestamp) -> String? {
        switch provider {
        case .apns:
            guard let token = devices[slot].apnsToken else { return nil }
            forgetToken(token, slot)
            retired.retire(token, .app, of: reference(to: slot), at: now)
            return token.hex
        case .fcm:
            guard !devices[slot].fcmToken.isEmpty else { return nil }
            let token = devices[slot].fcmToken
            forgetToken(token, slot)
            retired.retire(token, of: reference(to: slot))
            return token
        case .webpush: return nil
        }
    }

    /// Installs the app again: all tokens are new, and subscriptions, activities and the badge are gone.
    package mutating func install(_ slot: Int, at now: Timestamp, using generator: inout Random) -> [TokenChange] {
        unsubscribeAll(slot)
        for (_, token) in devices[slot].activityTokens { endActivity(token, slot, at: now) }
        devices[slot].isAppRemoved = false
        devices[slot].unregisteredSince = nil
        devices[slot].lostPushes = 0
        devices[slot].phone.activities = [:]
        devices[slot].phone.badge = 0
        devices[slot].phone.unreportedCalls = 0
        if devices[slot].platform == .ios {
            let start = DeviceToken(.liveActivity, using: &generator)
            devices[slot].activityToken = start
            byActivityToken[start] = (slot, nil)
        }
        deviceChanged(slot)
        var changes: [TokenChange] = []
        for provider in Provider.allCases {
            if let change = rotate(provider, slot, at: now, isNewInstallation: true, using: &generator) {
                changes.append(change)
            }
        }
        for kind in TokenKind.allCases {
            if let change = rotate(kind, slot, at: now, using: &generator) { changes.append(change) }
        }
        return changes
    }

    /// Gives a new token to a Live Activity that has begun. Its previous token, if any, is retired.
    package mutating func makeActivityToken(
        _ type: String, _ slot: Int, at now: Timestamp, using generator: inout Random
    ) -> TokenChange {
        let old = devices[slot].phone.activities[type]?.token
        if let old { endActivity(old, slot, at: now) }
        let token = DeviceToken(.liveActivity, using: &generator)
        devices[slot].phone.activities[type]?.token = token
        byActivityToken[token] = (slot, type)
        return TokenChange(provider: .apns, old: old?.hex, new: token.hex)
    }

    /// Retires the token of a Live Activity that has ended: pushes to it get 410 (observed).
    package mutating func endActivity(_ token: DeviceToken, _ slot: Int, at now: Timestamp) {
        guard let owner = byActivityToken.removeValue(forKey: token) else { return }
        if let type = owner.type { devices[slot].phone.activities[type]?.token = nil }
        retired.retire(token, .liveActivity, of: reference(to: slot), at: now)
    }
}

extension Device {
    /// The token that starts Live Activities, which has no type, and the token of each running activity with its type.
    package var activityTokens: [(type: String?, token: DeviceToken)] {
        var tokens: [(type: String?, token: DeviceToken)] = activityToken.map { [(nil, $0)] } ?? []
        for (type, activity) in phone.activities { if let token = activity.token { tokens.append((type, token)) } }
        return tokens
    }
}
