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
        guard let action = entry.shown.actions.first(where: { $0.id == id }) else {
            let known = entry.shown.actions.map(\.id).joined(separator: ", ")
            let why = known.isEmpty ? platform.reasonForNoActions : "its actions are \(known)"
            return DeviceProblem(
                pointer: "/actionId", message: "The notification has no action '\(id.prefix(100))': \(why).")
        }
        return text != nil && !action.takesText
            ? DeviceProblem(pointer: "/text", message: "The action '\(id)' does not accept text.") : nil
    }

    mutating func perform(_ act: UserAction, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        guard obstacle(to: act) == nil, let entry = entry(for: act) else { return }
        defer { explainSilence(of: act, on: entry, &effects) }
        let key: [(String, JSONScalar)] = [("notification", .string(entry.key))]
        switch act {
        case .open:
            emit(.opened, entry.push, .opened, key, &effects)
            openApp(from: entry, &effects)
        case .dismiss:
            emit(.dismissed, entry.push, .dismissed, key, &effects)
            dismiss(entry, &effects)
        case .action(_, let id, let text):
            var fields = key + [("actionId", .string(id))]
            if let text { fields.append(("text", .string(text))) }
            emit(.action, entry.push, .acted, fields, &effects)
            runAction(id, text, of: entry, &effects)
        }
    }

    /// The notification that the person acts on. It leaves the shade, unless it is sticky (Android, code). A click on an
    /// action of a web notification does not close it either: Firebase's worker leaves it to the site (code).
    private mutating func entry(for act: UserAction) -> ShadeEntry? {
        guard let entry = phone.shade[act.key] else { return nil }
        let stays =
            switch (act, entry.content) {
            case (.open, .android(let content)): content.notification?.isSticky == true
            case (.action, .web): true
            case (.open, _), (.action, _), (.dismiss, _): false
            }
        return stays ? entry : phone.shade.remove(act.key)
    }

    /// Informs the app of a dismissal: on iOS only if the category asks for it, on Android only if the app posted the
    /// notification itself, and in browsers always.
    private mutating func dismiss(_ entry: ShadeEntry, _ effects: inout [DeviceEffect]) {
        switch platform {
        case .ios:
            guard entry.category?.hasDismissAction == true else { return }
            emitCallback(
                "didReceiveResponse", entry.push, why: .dismissed, &effects,
                [("actionIdentifier", .string("com.apple.UNNotificationDismissActionIdentifier"))])
            track("2", entry.content.adobe, entry.push, &effects)
        case .android:
            guard entry.isPostedByApp else { return }
            emitCallback("onReceive", entry.push, why: .dismissed, &effects)
            track("2", phone.intents.dismissalIDs ?? entry.content.adobe, entry.push, &effects)
        case .web: emitCallback("notificationclose", entry.push, why: .dismissed, &effects)
        }
    }
}

extension Device.Platform {
    /// Why a notification may have no actions.
    fileprivate var reasonForNoActions: String {
        switch self {
        case .ios: "it has no category with actions"
        case .android: "notifications that Firebase's code shows have none"
        case .web: "the message has no 'webpush.notification.actions'"
        }
    }
}
