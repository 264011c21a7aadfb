internal import PushCore

/// iOS (facts/device.md §2.3).
extension Device {
    mutating func receive(
        _ arrival: Arrival, _ content: AppleContent, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        if let activity = content.activity { return change(activity, arrival, at: now, &effects) }
        if content.isContentAvailable { wake(for: arrival.push, content, at: now, &effects) }
        guard content.isVisible else {
            if !content.isContentAvailable { suppress(arrival.push, .iosNothing, &effects) }
            return
        }
        guard allowsAlerts else { return suppress(arrival.push, .iosNotAllowed, &effects) }
        if phone.spec.extension.script != .none, content.isMutable, content.isDictionary, content.hasAlert {
            runExtension(for: arrival, content, at: now, &effects)
        } else {
            present(arrival, content, at: now, &effects)
        }
    }

    /// In the phone's language, where texts are named by key and the app has some.
    func localized(_ content: AppleContent) -> ShownText? {
        guard let keys = content.keys, !phone.spec.texts.isEmpty else { return nil }
        return keys.text(over: content.text, from: phone.spec.texts, for: state.locale) { $0.key }
    }

    private var allowsAlerts: Bool { state.permission == .authorized || state.permission == .provisional }

    func suppress(_ push: PushID, _ why: PhoneRule, _ effects: inout [DeviceEffect]) {
        effects.append(.event(.suppressed, push: push, why: why, .none))
    }

    /// What the person sees and hears of it.
    mutating func present(
        _ arrival: Arrival, _ content: AppleContent, _ changed: ShownText? = nil, at now: Timestamp,
        _ effects: inout [DeviceEffect]
    ) {
        let (why, shown) = surfaces(for: content)
        let isInFront = why == .iosForeground
        if isInFront {
            call("willPresent", arrival.push, why: why, &effects)
            track("7", content.adobe, arrival.push, &effects)
        }
        let isHeard = content.sound != nil && shown != .list
        if content.hasAlert {
            let own = Shown.Overrides.make(
                key: arrival.collapseID.isEmpty ? nil : String(decoding: arrival.collapseID, as: UTF8.self),
                text: changed ?? localized(content),
                category: phone.spec.category(content.category))
            post(
                arrival, own, isHeard ? shown.union(.sound) : shown, at: now, why: why, replacing: .iosCollapsed,
                &effects)
        } else if isHeard {
            effects.append(
                .event(.presented, push: arrival.push, why: why, .fields([("sound", .string(content.sound ?? ""))])))
        }
        // Without being asked to, willPresent leaves the number as it is; provisional notifications have none.
        guard let badge = content.badge, !isInFront, state.permission == .authorized else { return }
        phone.badge = max(0, badge)
        effects.append(.event(.badge, push: arrival.push, why: .iosBadge, .fields([("badge", .int(phone.badge))])))
    }

    /// Where it comes up, and why there: the list has it always, anything else may be kept quiet.
    private func surfaces(for content: AppleContent) -> (why: PhoneRule, Shown.Surfaces) {
        let isUrgent = content.level == .timeSensitive || content.level == .critical
        if state.permission == .provisional { return (.iosProvisional, .list) }
        if state.app == .foreground, !state.locked { return (.iosForeground, [.banner, .list]) }
        if content.level == .passive { return (.iosPassive, .list) }
        if state.focus, !isUrgent { return (.iosFocus, .list) }
        return state.locked ? (.iosLocked, [.lockScreen, .list]) : (.iosShown, [.banner, .list])
    }

    /// content-available: the app's code runs, where it may.
    mutating func wake(for push: PushID, _ content: AppleContent, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        let name = "didReceiveRemoteNotification"
        switch state.app {
        case .foreground where !state.locked: call(name, push, why: .iosWoken, &effects, [("state", .string("active"))])
        case .forceQuit: suppress(push, .iosForceQuit, &effects)
        case .foreground, .background, .suspended, .terminated:
            guard state.backgroundRefresh else { return suppress(push, .iosRefreshOff, &effects) }
            if content.isBackground, hold(push, content, at: now, &effects) { return }
            if state.app == .terminated || state.app == .suspended {
                state.app = .background
                effects.append(.event(.state, push: push, why: .iosWoken, .fields([("app", .string("background"))])))
            }
            call(name, push, why: .iosWoken, &effects, [("state", .string("background"))])
            // Adobe's handler asks whether the app is not active: in front the other callback has reported it.
            track("7", content.adobe, push, &effects)
        }
    }
}
