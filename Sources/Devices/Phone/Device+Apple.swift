internal import PushCore

/// iOS (docs/evidence/device.md §2.3).
extension Device {
    mutating func receive(
        _ arrival: Arrival, _ content: AppleContent, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        if let activity = content.activity { return applyActivityEvent(activity, arrival, at: now, &effects) }
        if content.isContentAvailable { wake(for: arrival.push, content, at: now, &effects) }
        guard content.isVisible else {
            if !content.isContentAvailable { suppress(arrival.push, .iosNothing, &effects) }
            return
        }
        guard allowsAlerts else { return suppress(arrival.push, .iosNotAllowed, &effects) }
        if let obstacle = obstacleToExtension(content) {
            explainMissingImage(of: arrival.push, content, obstacle, &effects)
            present(arrival, content, at: now, &effects)
        } else {
            runExtension(for: arrival, content, at: now, &effects)
        }
    }

    /// The localized texts in the phone's language. Nil if the push has no localization keys, or if the app has no
    /// texts.
    func localized(_ content: AppleContent) -> NotificationText? {
        guard let keys = content.keys, !phone.spec.texts.isEmpty else { return nil }
        return keys.localized(content.text, from: phone.spec.texts, for: state.locale) { $0.key }
    }

    private var allowsAlerts: Bool { state.permission == .authorized || state.permission == .provisional }

    func suppress(_ push: PushID, _ why: PhoneRule, _ effects: inout [DeviceEffect]) {
        effects.append(.event(.suppressed, push: push, why: why, .none))
    }

    /// Shows the notification, plays its sound, and sets the badge.
    mutating func present(
        _ arrival: Arrival, _ content: AppleContent, _ changed: NotificationText? = nil, at now: Timestamp,
        _ effects: inout [DeviceEffect]
    ) {
        let (why, shown) = surfaces(for: content)
        // In the foreground the app decides. It can't ask for more than the push has.
        let asked = why == .iosForeground ? phone.spec.app.willPresent : nil
        if asked != nil {
            emitCallback("willPresent", arrival.push, why: why, &effects)
            track("7", content.adobe, arrival.push, &effects)
        }
        let sound = asked?.contains(.sound) ?? (shown != .list) ? content.sound : nil
        let hasOwnSound = sound.map(phone.spec.app.hasSound) ?? true
        if content.hasAlert, !shown.isEmpty {
            let overrides = ShownNotification.Overrides.make(
                key: arrival.collapseID.isEmpty ? nil : String(decoding: arrival.collapseID, as: UTF8.self),
                text: changed ?? localized(content),
                category: phone.spec.category(content.category))
            let posting = NewNotification(
                overrides: overrides,
                surfaces: shown.union(sound == nil ? [] : hasOwnSound ? .sound : [.sound, .defaultSound]), why: why,
                replacing: .iosCollapsed)
            post(arrival, posting, at: now, &effects)
        } else if let sound {
            let played = hasOwnSound ? sound : "default"
            emit(.presented, arrival.push, why, [("sound", .string(played))], &effects)
        } else if content.hasAlert {
            suppress(arrival.push, .iosForegroundSilent, &effects)
        }
        // Provisional notifications have no badge.
        guard let badge = content.badge, asked?.contains(.badge) ?? true, state.permission == .authorized else {
            return
        }
        phone.badge = max(0, badge)
        effects.append(.event(.badge, push: arrival.push, why: .iosBadge, .fields([("badge", .int(phone.badge))])))
    }

    /// Where the notification appears, and the rule that decided it. While the app is not in the foreground, the
    /// notification always appears in the list.
    private func surfaces(for content: AppleContent) -> (why: PhoneRule, ShownNotification.Surfaces) {
        if state.permission == .provisional { return (.iosProvisional, .list) }
        if state.app == .foreground, !state.locked { return (.iosForeground, phone.spec.app.foregroundSurfaces) }
        if content.level == .passive { return (.iosPassive, .list) }
        if state.focus {
            guard let needed = content.level.entitlement else { return (.iosFocus, .list) }
            guard phone.spec.app.has(needed) else { return (.iosNoEntitlement, .list) }
        }
        return state.locked ? (.iosLocked, [.lockScreen, .list]) : (.iosShown, [.banner, .list])
    }

    /// Runs the app's code for `content-available`, if the app may be woken.
    mutating func wake(for push: PushID, _ content: AppleContent, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        let name = "didReceiveRemoteNotification"
        switch state.app {
        case .foreground where !state.locked:
            emitCallback(name, push, why: .iosWoken, &effects, [("state", .string("active"))])
        case .forceQuit: suppress(push, .iosForceQuit, &effects)
        case .foreground, .background, .suspended, .terminated:
            guard state.backgroundRefresh else { return suppress(push, .iosRefreshOff, &effects) }
            if content.isBackground, holdBackgroundPush(push, content, at: now, &effects) { return }
            if state.app == .terminated || state.app == .suspended {
                state.app = .background
                effects.append(.event(.state, push: push, why: .iosWoken, .fields([("app", .string("background"))])))
            }
            emitCallback(name, push, why: .iosWoken, &effects, [("state", .string("background"))])
            // Adobe's handler only reports if the app is not active. In the foreground, willPresent has already
            // reported the push.
            track("7", content.adobe, push, &effects)
        }
    }
}

extension AppConfig {
    /// Where a notification appears while the app is in the foreground.
    fileprivate var foregroundSurfaces: ShownNotification.Surfaces {
        willPresent.reduce(into: []) { surfaces, option in
            switch option {
            case .banner: surfaces.insert(.banner)
            case .list: surfaces.insert(.list)
            case .sound, .badge: break
            }
        }
    }
}

extension AppleContent.Level {
    /// The entitlement with which a push of this level breaks through Focus; nil if it never does.
    fileprivate var entitlement: AppConfig.Entitlement? {
        switch self {
        case .passive, .active: nil
        case .timeSensitive: .timeSensitive
        case .critical: .critical
        }
    }
}
