internal import Devices
package import PushCore

/// Changes of tokens.
extension PushEngine {
    /// Replaces or deletes a token of the app. Returns the reason if that is not possible, and nil on success.
    package mutating func changeToken(
        _ provider: Provider, _ kind: TokenKind? = nil, rotates: Bool, _ slot: Int, at now: Timestamp
    ) -> String? {
        if kind != nil, provider == .fcm { return "Only APNs has tokens of several kinds: omit 'kind'." }
        let change =
            switch (kind, rotates) {
            case (let kind?, true): devices.rotate(kind, slot, at: now, using: &random)
            case (let kind?, false): devices.deleteToken(kind, slot, at: now)
            case (nil, true): devices.rotate(provider, slot, at: now, using: &random)
            case (nil, false): devices.deleteToken(provider, slot, at: now)
            }
        guard let change else {
            let name = kind?.rawValue ?? provider.rawValue
            return rotates ? "Only an iOS device has APNs tokens." : "The device has no \(name) token."
        }
        noteTokenChange(change, cause: rotates ? "rotate" : "delete", slot, at: now)
        return nil
    }

    mutating func noteTokenChange(
        _ change: DeviceRegistry.TokenChange, cause: String, of activity: String? = nil, _ slot: Int, at now: Timestamp
    ) {
        var fields: [(String, JSONScalar)] = [("provider", .string(change.provider.rawValue))]
        if let kind = change.kind { fields.append(("kind", .string(kind.rawValue))) }
        if let old = change.old { fields.append(("old", .string(old))) }
        if let new = change.new { fields.append(("new", .string(new))) }
        fields.append(("cause", .string(cause)))
        if let activity { fields.append(("activity", .string(activity))) }
        append(DeviceEvent(.token), detail: .fields(fields), slot, at: now)
    }
}
