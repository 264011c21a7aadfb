internal import PushCore

/// Why the app's tracking code reported nothing for a push (docs/evidence/device.md §1.2, §1.5 and §3.3). The texts
/// are for `GET /tracking`.
enum TrackingSilence: String {
    case forceQuit = "the app was force-quit, so none of its code ran"
    case refreshOff = "Background App Refresh is off, so the push did not wake the app"
    case held = "the push is held until the app may be woken again"
    case silentInForeground =
        "the push is silent and the app is in the foreground: willPresent is not called for it, and didReceiveRemoteNotification does not report while the app is active"
    case notAllowed = "the person does not allow notifications"
    case notRun = "the app was not in the foreground and content-available is not 1, so none of its code ran"
    case nothingToDo = "the push shows nothing and does not wake the app"
    case shownByFirebase = "Firebase's code showed the notification, and the app's code runs only when a person taps it"
    case noData = "the message has no data"
    case tappedWithoutIDs = "a person tapped the notification, but its data has no _mId and _dId that the app can read"
    case invalidDelivery = "_dId is not a hexadecimal number below 80000000, which makes the app's code throw"
    case nothingOpened = "no activity of the app accepts the click_action, so the tap opened nothing"
    case noDismissAction = "the category of the push does not ask for dismissals (customDismissAction)"
    case noDismissIntent = "the app is not told of the dismissal of a notification that Firebase's code showed"
}

extension Device {
    /// Says why a push was not reported on its arrival, if the app has Adobe's tracking code.
    func explainSilence(of arrival: Arrival, _ effects: inout [DeviceEffect]) {
        guard phone.spec.tracking.profile == .adobe, !effects.reports(arrival.push),
            let why = silence(of: arrival)
        else { return }
        effects.append(.unreported(arrival.push, why: why.rawValue, isFinal: false))
    }

    /// Nil if the app's code has run or will run for the push, and for browsers.
    private func silence(of arrival: Arrival) -> TrackingSilence? {
        switch arrival.content {
        case .android(let content):
            if content.data.isEmpty { return .noData }
            return content.notification == nil ? nil : .shownByFirebase
        case .web: return nil
        case .apple(let content):
            // The extension is still working, and willPresent follows.
            if state.app == .foreground, phone.jobs.contains(where: { $0.arrival.push == arrival.push }) { return nil }
            if state.app == .forceQuit { return .forceQuit }
            if content.isContentAvailable {
                if phone.heldPush?.push == arrival.push { return .held }
                let isActive = state.app == .foreground && !state.locked
                guard isActive else { return state.backgroundRefresh ? nil : .refreshOff }
                return content.isVisible ? .notAllowed : .silentInForeground
            }
            guard content.isVisible else { return .nothingToDo }
            return state.permission == .authorized || state.permission == .provisional ? .notRun : .notAllowed
        }
    }

    /// Says why an act was not reported, if the app has Adobe's tracking code. That code never runs in browsers.
    func explainSilence(of act: UserAction, on entry: ShadeEntry, _ effects: inout [DeviceEffect]) {
        guard phone.spec.tracking.profile == .adobe, platform != .web, !effects.reports(entry.push),
            let why = silence(of: act, on: entry, effects)
        else { return }
        effects.append(.unreported(entry.push, why: why.rawValue, isFinal: true))
    }

    private func silence(of act: UserAction, on entry: ShadeEntry, _ effects: [DeviceEffect]) -> TrackingSilence? {
        let ids = entry.content.adobe
        switch act {
        case .dismiss:
            if platform == .ios { return entry.category?.hasDismissAction == true ? nil : .noDismissAction }
            return entry.isPostedByApp ? nil : .noDismissIntent
        case .open, .action:
            if effects.contains(where: \.opensNothing) { return .nothingOpened }
            guard let delivery = ids.delivery, let broadlog = ids.broadlog, !delivery.isEmpty, !broadlog.isEmpty else {
                return .tappedWithoutIDs
            }
            return ids.isOn && !AdobeIDs.isReadable(delivery, on: platform) ? .invalidDelivery : nil
        }
    }
}

extension [DeviceEffect] {
    fileprivate func reports(_ push: PushID) -> Bool {
        contains {
            if case .hit(let hit) = $0 { hit.push == push } else { false }
        }
    }
}

extension DeviceEffect {
    fileprivate var opensNothing: Bool {
        if case .event(_, _, .androidNoActivity, _) = self { true } else { false }
    }
}
