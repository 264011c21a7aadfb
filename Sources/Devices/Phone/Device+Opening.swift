internal import JSON
internal import PushCore

/// How a notification opens the app, or runs its code (docs/evidence/device.md §2.3(13), documented; §3.3 and
/// docs/evidence/fcm.md §5.4, code).
extension Device {
    /// The person tapped the notification.
    mutating func openApp(from entry: ShadeEntry, _ effects: inout [DeviceEffect]) {
        switch platform {
        case .ios:
            bringToForeground(why: .opened, push: entry.push, &effects)
            emitCallback(
                "didReceiveResponse", entry.push, why: .opened, &effects,
                [("actionIdentifier", .string("com.apple.UNNotificationDefaultActionIdentifier"))])
        case .android:
            if case .android(let content) = entry.content, !entry.isPostedByApp,
                !phone.spec.app.hasActivity(for: content.notification?.clickAction)
            {
                return suppress(entry.push, .androidNoActivity, &effects)
            }
            bringToForeground(why: .opened, push: entry.push, &effects)
            effects.append(
                .event(.callback, push: entry.push, why: .opened, .data(Self.launchIntent(of: entry))))
        case .web: return clickNotification(entry, &effects)
        }
        trackOpening(entry, &effects)
    }

    /// The person chose an action.
    mutating func runAction(_ id: String, _ text: String?, of entry: ShadeEntry, _ effects: inout [DeviceEffect]) {
        guard platform != .web else {
            return emitCallback("notificationclick", entry.push, why: .acted, &effects, [("action", .string(id))])
        }
        let isForeground = entry.shown.actions.first { $0.id == id }?.isForeground == true
        if isForeground {
            bringToForeground(why: .acted, push: entry.push, &effects)
        } else if state.app != .foreground, state.app != .background {
            state.app = .background
            emit(.state, entry.push, .acted, [("app", .string("background"))], &effects)
        }
        var fields: [(String, JSONScalar)] = [("actionIdentifier", .string(id))]
        if let text { fields.append(("userText", .string(text))) }
        emitCallback("didReceiveResponse", entry.push, why: .acted, &effects, fields)
        // Adobe's handler treats every response except a dismissal as an opening.
        trackOpening(entry, &effects)
    }

    /// The data of `onCreate`: the intent that starts the activity. The intent has the message's `click_action`.
    /// Without a `click_action`, it is the launcher's intent. The extras of the intent contain the message's data
    /// (code). On a phone, they also contain the ids and times of the delivery, but here only the `push` frame has
    /// those.
    private static func launchIntent(of entry: ShadeEntry) -> [UInt8] {
        guard case .android(let content) = entry.content else { return [] }
        let isPostedByApp = entry.isPostedByApp
        var json = JSONWriter()
        json.object { json in
            json.member("name", "onCreate")
            if !isPostedByApp, let action = content.notification?.clickAction { json.member("action", action) }
            json.key("extras")
            json.object { json in
                for (key, value) in content.data.sorted(by: { $0.key < $1.key }) { json.member(key, value) }
                if !isPostedByApp, let sender = content.sender { json.member("from", sender) }
            }
        }
        return json.finish()
    }

    /// Firebase's worker opens the link if it belongs to the site, and otherwise does nothing.
    private mutating func clickNotification(_ entry: ShadeEntry, _ effects: inout [DeviceEffect]) {
        guard case .web(let content) = entry.content, let link = content.link.flatMap({ SiteLink.url(of: $0, on: app) })
        else { return emitCallback("notificationclick", entry.push, why: .webNoLink, &effects) }
        bringToForeground(why: .opened, push: entry.push, &effects)
        emitCallback("notificationclick", entry.push, why: .opened, &effects, [("link", .string(link))])
    }

    private mutating func trackOpening(_ entry: ShadeEntry, _ effects: inout [DeviceEffect]) {
        var ids = entry.content.adobe
        if platform == .android {
            // Firebase's code makes an intent for each notification; Adobe's sample shares one.
            if entry.isPostedByApp { ids = phone.intents.tapIDs ?? ids }
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
