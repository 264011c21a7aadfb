package import PushCore

/// The tokens of the kinds in `TokenKind`, and the tokens that clients choose.
extension DeviceRegistry {
    /// Gives the device a new token of that kind. Nil if its platform has none.
    package mutating func rotate(
        _ kind: TokenKind, _ slot: Int, at now: Timestamp, using generator: inout Random
    ) -> TokenChange? {
        guard devices[slot].platform == .ios else { return nil }
        let old = takeToken(kind, slot, at: now)
        let token = DeviceToken(using: &generator)
        devices[slot].otherTokens[kind] = token
        byOtherToken[token] = (slot, kind)
        return TokenChange(provider: .apns, kind: kind, old: old, new: token.hex)
    }

    /// Deletes the device's token of that kind. Nil if it has none.
    package mutating func deleteToken(_ kind: TokenKind, _ slot: Int, at now: Timestamp) -> TokenChange? {
        takeToken(kind, slot, at: now).map { TokenChange(provider: .apns, kind: kind, old: $0, new: nil) }
    }

    private mutating func takeToken(_ kind: TokenKind, _ slot: Int, at now: Timestamp) -> String? {
        guard let token = devices[slot].otherTokens.removeValue(forKey: kind) else { return nil }
        byOtherToken[token] = nil
        retired.retire(token, .other(kind), of: reference(to: slot), at: now)
        return token.hex
    }

    /// Throws if a token that the client chose already belongs to a device, or is chosen twice.
    package func requireUnusedTokens(_ spec: DeviceSpec, at pointer: String) throws(DeviceProblem) {
        var chosen: [(name: String, token: DeviceToken)] = []
        if let token = spec.apnsToken { chosen.append(("apns", token)) }
        if let token = spec.activityToken { chosen.append(("liveActivity", token)) }
        for kind in TokenKind.allCases {
            if let token = spec.otherTokens[kind] { chosen.append((kind.rawValue, token)) }
        }
        if let first = chosen.first, let platform = spec.platform, platform != .ios {
            throw DeviceProblem(
                pointer: "\(pointer)/tokens/\(first.name)", message: "Only an iOS device has APNs tokens.")
        }
        for (index, (name, token)) in chosen.enumerated() {
            try requireUnused(owner(of: token), "\(pointer)/tokens/\(name)")
            guard let twin = chosen[..<index].first(where: { $0.token == token }) else { continue }
            throw DeviceProblem(
                pointer: "\(pointer)/tokens/\(name)",
                message: "The token is also chosen for '\(twin.name)': each kind needs a separate token.")
        }
        try requireUnused(
            spec.fcmToken.flatMap { byFCMToken[$0] ?? byFCMToken[Self.fid(of: $0)] }, "\(pointer)/tokens/fcm")
    }

    private func owner(of token: DeviceToken) -> Int? {
        byAPNsToken[token] ?? byActivityToken[token]?.slot ?? byOtherToken[token]?.slot
    }

    private func requireUnused(_ owner: Int?, _ pointer: String) throws(DeviceProblem) {
        guard let owner else { return }
        throw DeviceProblem(
            pointer: pointer,
            message:
                "The token belongs to the device '\(devices[owner].id)': use the id of that device, or another token.")
    }
}
