package import PushCore

/// How an accepted APNs push gets to a device (docs/evidence/apns.md §6, documented unless a comment says otherwise).
extension Device {
    /// The outcome of a push that arrives now, for either service.
    package func outcome(of push: PushTraits, at now: Timestamp) -> TransitOutcome {
        if push.provider == .fcm { return fcmOutcome(of: push, at: now) }
        if unregisteredSince != nil { return .discardedUnregistered }
        if refuses(push) { return .discardedDisabled }
        if isReachable(by: push) { return .delivered }
        guard let expires = push.expires, expires > now else { return .discardedExpired }
        return state.online ? .storedForPower : .storedOffline
    }

    /// The outcome of a stored push now; nil if it has to wait longer.
    func outcome(ofStored stored: StoredPush, at now: Timestamp) -> TransitOutcome? {
        let push = stored.traits
        if push.provider == .fcm { return fcmOutcome(ofStored: stored, at: now) }
        guard state.online else { return nil }
        if unregisteredSince != nil { return .discardedUnregisteredFromStorage }
        if refuses(push) { return .discardedDisabledFromStorage }
        if let expires = push.expires, expires <= now { return .discardedExpired }
        return isReachable(by: push) ? .deliveredFromStorage : nil
    }

    private func refuses(_ push: PushTraits) -> Bool { push.onlyShowsNotification && state.permission == .denied }

    /// Priority 10 gets through at once. Priority 5 waits while the phone saves power. Priority 1 never wakes the
    /// phone, so it also waits until the phone is unlocked. We assume that a locked phone is asleep.
    private func isReachable(by push: PushTraits) -> Bool {
        guard state.online else { return false }
        return push.priority == 10 || !state.lowPower && (push.priority == 5 || !state.locked)
    }
}
