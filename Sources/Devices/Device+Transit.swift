package import PushCore

/// Apple's way from an accepted push to a device (facts/apns.md §6, documented but where a comment says else).
extension Device {
    /// What becomes of a push that comes now.
    package func outcome(of push: PushTraits, at now: Timestamp) -> TransitOutcome {
        if push.provider == .fcm { return googleOutcome(of: push, at: now) }
        if uninstalled != nil { return .discardedUnregistered }
        if refuses(push) { return .discardedDisabled }
        if let expires = push.expires, expires <= now { return .discardedExpired }
        if isReachable(by: push) { return .delivered }
        if push.expires == nil { return .discardedExpired }
        return state.online ? .storedForPower : .storedOffline
    }

    /// What becomes of a stored push now; nil: it goes on waiting.
    func outcome(ofStored stored: StoredPush, at now: Timestamp) -> TransitOutcome? {
        let push = stored.traits
        if push.provider == .fcm { return googleOutcome(ofStored: stored, at: now) }
        guard state.online else { return nil }
        if uninstalled != nil { return .discardedUnregisteredFromStorage }
        if refuses(push) { return .discardedDisabledFromStorage }
        if let expires = push.expires, expires <= now { return .discardedExpired }
        return isReachable(by: push) ? .deliveredFromStorage : nil
    }

    private func refuses(_ push: PushTraits) -> Bool { push.isVisible && state.permission == .denied }

    /// Priority 10 gets through at once; 5 waits while the phone saves power; 1 never wakes it, so it waits for
    /// somebody who unlocks it, too (that the lock stands for sleep is assumed).
    private func isReachable(by push: PushTraits) -> Bool {
        guard state.online else { return false }
        return push.priority == 10 || !state.lowPower && (push.priority == 5 || !state.locked)
    }
}
