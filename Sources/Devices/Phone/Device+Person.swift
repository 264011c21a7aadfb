internal import PushCore

/// What a person does with notifications, and the callbacks of the app that follow (docs/evidence/device.md §2.3(13),
/// documented; §3.3, code).
extension Device {
    /// Why a person can't do this now; nil if they can.
    func obstacle(to act: UserAction) -> DeviceProblem? {
        guard let entry = phone.shade[act.key] else {
            return DeviceProblem(
                pointer: "/notification", message: "There is no notification '\(act.key.prefix(100))' in the shade.")
        }
        guard case .action(_, let id, let text) = act else { return nil }
        guard let action = entry.category?.actions.first(where: { $0.id == id }) else {
            let known = (entry.category?.actions ?? []).map(\.id).joined(separator: ", ")
            let why =
                known.isEmpty
                ? platform == .ios ? "it has no category with actions" : "only notifications on iOS have actions here"
                : "its actions are \(known)"
            return DeviceProblem(
                pointer: "/actionId", message: "The notification has no action '\(id.prefix(100))': \(why).")
        }
        return text != nil && !action.takesText
            ? DeviceProblem(pointer: "/text", message: "The action '\(id)' does not accept text.") : nil
    }

    mutating func perform(_ act: UserAction, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        guard obstacle(to: act) == nil, let entry = act.isOpening ? open(act.key) : phone.shade.remove(act.key) else {
            return
        }
        let key: [(String, JSONScalar)] = [("notification", .string(entry.key))]
        switch act {
        case .open:
            emit(.opened, entry.push, .opened, key, &effects)
            bringToForeground(why: .opened, push: entry.push, &effects)
            deliverResponse(entry, "com.apple.UNNotificationDefaultActionIdentifier", .opened, &effects)
            trackOpening(entry, &effects)
        case .dismiss:
            emit(.dismissed, entry.push, .dismissed, key, &effects)
            dismiss(entry, &effects)
        case .action(_, let id, let text):
            var fields = key + [("actionId", .string(id))]
            if let text { fields.append(("text", .string(text))) }
            emit(.action, entry.push, .acted, fields, &effects)
            let isForeground = entry.category?.actions.first { $0.id == id }?.isForeground == true
            if isForeground {
                bringToForeground(why: .acted, push: entry.push, &effects)
            } else if platform == .ios, state.app != .foreground, state.app != .background {
                state.app = .background
                emit(.state, entry.push, .acted, [("app", .string("background"))], &effects)
            }
            deliverResponse(entry, id, .acted, &effects, text: text)
            // Adobe's handler treats every response except a dismissal as an opening.
            trackOpening(entry, &effects)
        }
    }

    /// The notification that a tap opens. It leaves the shade unless it is sticky (Android, code).
    private mutating func open(_ key: String) -> ShadeEntry? {
        guard let entry = phone.shade[key] else { return nil }
        if case .android(let content) = entry.content, content.notification?.isSticky == true { return entry }
        return phone.shade.remove(key)
    }

    /// The app is informed of a dismissal only if the category asks for it (iOS), or if it posted the notification
    /// itself (Android).
    private mutating func dismiss(_ entry: ShadeEntry, _ effects: inout [DeviceEffect]) {
        switch platform {
        case .ios:
            guard entry.category?.hasDismissAction == true else { return }
            deliverResponse(entry, "com.apple.UNNotificationDismissActionIdentifier", .dismissed, &effects)
            track("2", entry.content.adobe, entry.push, &effects)
        case .android:
            guard case .android(let content) = entry.content, content.notification == nil else { return }
            emitCallback("onReceive", entry.push, why: .dismissed, &effects)
            track("2", phone.intents.dismissalIDs ?? entry.content.adobe, entry.push, &effects)
        case .web: emitCallback("notificationclose", entry.push, why: .dismissed, &effects)
        }
    }

    /// Calls the app's code for the response to a notification.
    private func deliverResponse(
        _ entry: ShadeEntry, _ identifier: String, _ why: PhoneRule, _ effects: inout [DeviceEffect],
        text: String? = nil
    ) {
        switch platform {
        case .ios:
            var fields: [(String, JSONScalar)] = [("actionIdentifier", .string(identifier))]
            if let text { fields.append(("userText", .string(text))) }
            emitCallback("didReceiveResponse", entry.push, why: why, &effects, fields)
        case .android: emitCallback("onCreate", entry.push, why: why, &effects, Self.intent(of: entry))
        case .web:
            emitCallback(
                "notificationclick", entry.push, why: why, &effects,
                link(of: entry).map { [("link", .string($0))] } ?? [])
        }
    }

    /// The intent that starts the activity. It has the message's `click_action`, if any; otherwise it is the launcher's
    /// intent (code).
    private static func intent(of entry: ShadeEntry) -> [(String, JSONScalar)] {
        guard case .android(let content) = entry.content, let notification = content.notification else { return [] }
        return notification.clickAction.map { [("action", .string($0))] } ?? []
    }

    /// The link to open. Only pages of the same site are opened (code).
    private func link(of entry: ShadeEntry) -> String? {
        guard case .web(let content) = entry.content, let link = content.link else { return nil }
        func host(_ url: String) -> Substring? {
            url.contains("://") ? url.split(separator: "/", maxSplits: 3).dropFirst().first : nil
        }
        return host(link) == host(app) ? link : nil
    }

    private mutating func trackOpening(_ entry: ShadeEntry, _ effects: inout [DeviceEffect]) {
        var ids = entry.content.adobe
        if platform == .android, case .android(let content) = entry.content {
            guard content.notification == nil else { return }
            ids = phone.intents.tapIDs ?? ids
            phone.intents.openedIDs = ids
        }
        for action in ["2", "1"] { track(action, ids, entry.push, &effects) }
    }

    /// Adobe's Android sample reads its intent again whenever the app returns to the foreground, so it reports the same
    /// opening again.
    mutating func appChanged(from before: DeviceState.AppState, _ effects: inout [DeviceEffect]) {
        guard platform == .android, before != .foreground, state.app == .foreground, let ids = phone.intents.openedIDs
        else { return }
        for action in ["2", "1"] { track(action, ids, nil, &effects) }
    }
}
