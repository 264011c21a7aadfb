package import PushCore

/// Finds devices by their tokens, and maintains the indexes for that.
extension DeviceRegistry {
    /// The device bound to an APNs token; nil if the token is unknown.
    package func binding(of token: DeviceToken, at now: Timestamp, _ rule: UnregisterRule) -> TokenBinding? {
        if let place = byAPNsToken[token] {
            return binding(place, devices[place].isImplicit ? .any : .app, at: now, rule)
        }
        if let owner = byActivityToken[token] { return binding(owner.place, .liveActivity, at: now, rule) }
        return retired.owner(of: token).map { place, kind, since in
            TokenBinding(
                place: place, app: devices[place].app, environment: devices[place].environment, kind: kind,
                unregistered: since)
        }
    }

    private func binding(_ place: Int, _ kind: TokenBinding.Kind, at now: Timestamp, _ rule: UnregisterRule)
        -> TokenBinding
    {
        TokenBinding(
            place: place, app: devices[place].app, environment: devices[place].environment, kind: kind,
            unregistered: devices[place].unregisteredSince.flatMap {
                rule.unregistered(since: $0, lostPushes: devices[place].lostPushes, at: now)
            })
    }

    /// The device of a registration token or installation id; nil if it is unknown.
    package func place(ofFCM token: String) -> Int? { byFCMToken[token] }

    /// The registration token of the device that has this APNs token.
    package func fcmToken(ofAPNs token: DeviceToken) -> String? { byAPNsToken[token].map { devices[$0].fcmToken } }

    /// The type of the Live Activity that a token belongs to; nil if it does not belong to one.
    package func activity(of token: DeviceToken) -> String? { byActivityToken[token]?.type }

    mutating func setToken(_ token: DeviceToken, _ place: Int) {
        devices[place].apnsToken = token
        byAPNsToken[token] = place
    }

    mutating func setToken(_ token: String, _ place: Int) {
        devices[place].fcmToken = token
        byFCMToken[token] = place
        byFCMToken[devices[place].fid] = place
    }

    mutating func forgetToken(_ token: DeviceToken, _ place: Int) {
        devices[place].apnsToken = nil
        byAPNsToken[token] = nil
    }

    mutating func forgetToken(_ token: String, _ place: Int) {
        devices[place].fcmToken = ""
        byFCMToken[token] = nil
        byFCMToken[devices[place].fid] = nil
    }

    /// Throws if a token that the client chose already belongs to a device.
    package func requireUnusedTokens(_ spec: DeviceSpec, at pointer: String) throws(DeviceProblem) {
        func requireUnused(_ owner: Int?, _ provider: String) throws(DeviceProblem) {
            guard let owner else { return }
            throw DeviceProblem(
                pointer: "\(pointer)/tokens/\(provider)",
                message:
                    "The token belongs to the device '\(devices[owner].id)': use the id of that device, or another token."
            )
        }
        if spec.apnsToken != nil, let platform = spec.platform, platform != .ios {
            throw DeviceProblem(pointer: "\(pointer)/tokens/apns", message: "Only an iOS device has APNs tokens.")
        }
        try requireUnused(spec.apnsToken.flatMap { byAPNsToken[$0] ?? byActivityToken[$0]?.place }, "apns")
        try requireUnused(spec.fcmToken.flatMap { byFCMToken[$0] ?? byFCMToken[Self.fid(of: $0)] }, "fcm")
    }

    static func fid(of token: String) -> String { String(token.prefix { $0 != ":" }) }
}
