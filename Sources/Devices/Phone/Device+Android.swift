internal import PushCore

/// Android (docs/evidence/device.md §3.3, code) and browsers (docs/evidence/fcm.md §5.4, code).
extension Device {
    mutating func receive(
        _ arrival: Arrival, _ content: AndroidContent, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        guard recordMessage(arrival.push) else { return suppress(arrival.push, .androidDuplicate, &effects) }
        guard let notification = content.notification else {
            return deliverToApp(arrival, content, why: .androidData, at: now, &effects)
        }
        // An app behind the lock screen does not count as being in the foreground.
        if state.app == .foreground, !state.locked {
            return deliverToApp(arrival, content, why: .androidForeground, at: now, &effects)
        }
        guard let url = notification.text.image, !url.isEmpty else { return show(arrival, content, at: now, &effects) }
        let job = Phone.Job(
            arrival: arrival, started: now, due: now + AndroidImage.patience,
            text: localized(notification) ?? notification.text)
        fetch(url, for: job, at: now, &effects)
    }

    /// The localized texts in the phone's language. A text that the app does not have is left out.
    private func localized(_ notification: AndroidContent.Notification) -> NotificationText? {
        guard let keys = notification.keys, !phone.spec.texts.isEmpty else { return nil }
        return keys.localized(notification.text, from: phone.spec.texts, for: state.locale) { _ in "" }
    }

    /// Passes the message to the app's own code.
    private mutating func deliverToApp(
        _ arrival: Arrival, _ content: AndroidContent, why: PhoneRule, at now: Timestamp,
        _ effects: inout [DeviceEffect]
    ) {
        if state.app == .terminated || state.app == .forceQuit {
            state.app = .background
            effects.append(.event(.state, push: arrival.push, why: why, .fields([("app", .string("background"))])))
        }
        emitCallback("onMessageReceived", arrival.push, why: why, &effects)
        guard phone.spec.tracking.profile == .adobe, !content.data.isEmpty else { return }
        track("7", content.adobe, arrival.push, &effects)
        guard !content.dataText.isEmpty else { return }
        // The app's code uses only `data`, so a notification in the message must not provide the text.
        let text = content.notification == nil ? nil : content.dataText
        post(arrival, AndroidPostRequest(text: text, why: .androidOwn), at: now, &effects)
    }

    /// Posts the notification, as Firebase's code does.
    mutating func show(
        _ arrival: Arrival, _ content: AndroidContent, _ changed: NotificationText? = nil, at now: Timestamp,
        _ effects: inout [DeviceEffect]
    ) {
        let posting = AndroidPostRequest(
            // A closure: `flatMap(localized)` would copy the whole device.
            text: changed ?? content.notification.flatMap { localized($0) }, tag: content.notification?.tag,
            channel: content.notification?.channel, why: .androidShown)
        post(arrival, posting, at: now, &effects)
    }

    private struct AndroidPostRequest {
        /// Replaces the text of the message.
        var text: NotificationText?
        var tag: String?
        var channel: String?
        let why: PhoneRule
    }

    private mutating func post(
        _ arrival: Arrival, _ posting: AndroidPostRequest, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        guard state.permission == .authorized || state.permission == .provisional else {
            return suppress(arrival.push, .androidNotAllowed, &effects)
        }
        let (known, style) = (channel(of: posting), style(of: posting, arrival.content))
        if known?.importance == NotificationChannel.Importance.none {
            return suppress(arrival.push, .androidChannelOff, &effects)
        }
        let isLoud = known.map { $0.importance == .default || $0.importance == .high } ?? true
        var surfaces: ShownNotification.Surfaces = [
            .list, state.locked ? .lockScreen : known?.importance == .high ? .banner : .statusBar,
        ]
        if isLoud, !state.focus { surfaces.insert(.sound) }
        if known == nil { surfaces.insert(.inFallbackChannel) }
        if posting.why == .androidOwn {
            surfaces.insert(.postedByApp)
            phone.intents.posted(arrival.content.adobe)
        }
        let overrides = ShownNotification.Overrides.make(key: posting.tag, text: posting.text, style: style)
        let notification = NewNotification(
            overrides: overrides, surfaces: surfaces, why: posting.why, replacing: .androidTag)
        post(arrival, notification, at: now, &effects)
    }

    /// The channel that Firebase's code uses; nil for its fallback channel.
    private func channel(of posting: AndroidPostRequest) -> NotificationChannel? {
        let (channels, standard) = (phone.spec.channels, phone.spec.app.defaultChannel)
        if let channel = channels.first(where: { $0.id == posting.channel }) { return channel }
        return posting.why == .androidOwn ? nil : channels.first { $0.id == standard }
    }

    /// What the manifest adds to the notification; nil if it adds nothing.
    private func style(of posting: AndroidPostRequest, _ content: PushContent) -> ShownNotification.Style? {
        guard phone.spec.app !== AppConfig.standard, posting.why != .androidOwn, case .android(let content) = content,
            let notification = content.notification
        else { return nil }
        let (app, used) = (phone.spec.app, channel(of: posting)?.id)
        let style = ShownNotification.Style(
            channel: used == posting.channel ? nil : used, icon: notification.icon == nil ? app.icon : nil,
            color: notification.color == nil ? app.color : nil)
        return style.isEmpty ? nil : style
    }

    /// Remembers a message. False if it is already one of the last ten.
    private mutating func recordMessage(_ push: PushID) -> Bool {
        if phone.recentMessages.contains(push) { return false }
        if phone.recentMessages.count >= Phone.recentLimit { phone.recentMessages.removeFirst() }
        phone.recentMessages.append(push)
        return true
    }

    // MARK: Browsers

    mutating func receive(_ arrival: Arrival, _ content: WebContent, at now: Timestamp, _ effects: inout [DeviceEffect])
    {
        if content.isWebPush, !(content.isDeclarative && subscription?.service == .apple) {
            return emitCallback("push", arrival.push, why: .webPush, &effects)
        }
        if state.app == .foreground, !content.isWebPush {
            return emitCallback("onMessage", arrival.push, why: .webVisible, &effects)
        }
        guard content.text != nil else {
            return emitCallback("onBackgroundMessage", arrival.push, why: .webSilent, &effects)
        }
        if state.permission == .authorized {
            let overrides = ShownNotification.Overrides.make(key: content.tag, text: nil, category: nil)
            let posting = NewNotification(
                overrides: overrides, surfaces: [.banner, .list],
                why: content.isWebPush ? .webDeclarative : .webShown, replacing: .webTag)
            post(arrival, posting, at: now, &effects)
        } else {
            suppress(arrival.push, .webNotAllowed, &effects)
        }
        if !content.isWebPush { emitCallback("onBackgroundMessage", arrival.push, why: .webShown, &effects) }
    }
}
