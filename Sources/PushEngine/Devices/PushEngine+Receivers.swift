internal import APNs
internal import Devices
internal import FCM
internal import HTTPCore
internal import JSON
package import PushCore
package import Receivers

/// Real receivers: pages in browsers, and apps, that take their pushes from the gateway. Each one is a device.
/// `RealReceivers` decides what happens to their pushes, and the engine records it.
extension PushEngine {
    /// Records what has happened to real receivers and their pushes. Returns whether anything has.
    @discardableResult package mutating func applyReceiverNews(at now: Timestamp) -> Bool {
        var hasNews = false
        // When a subscription ends, its FCM token ends too. That is further news, so the loop runs again.
        while true {
            let news = realReceivers.takeNews()
            if news.isEmpty { return hasNews }
            hasNews = true
            for one in news { apply(one, at: now) }
        }
    }

    mutating func apply(_ news: ReceiverNews, at now: Timestamp) {
        switch news {
        case .subscribed(let receiver): makeDevice(for: receiver, at: now)
        case .unsubscribed(let token):
            guard let id = subscribers.removeValue(forKey: token), let slot = devices.slot(of: id) else { return }
            // A device with an FCM token stays, so that senders to that token are told that it is gone.
            if devices[slot].fid.isEmpty {
                removeDevice(slot, .browserUnsubscribed, at: now)
            } else {
                uninstall(slot, at: now)
                setOnline(slot, false, at: now)
            }
        case .topic(let topic, let isWanted, let token):
            guard let slot = devices.slot(ofFCM: token), devices[slot].receiver != nil else { return }
            _ = setTopic(topic, isWanted, slot, at: now)
        case .connected(let isConnected, let tokens):
            for token in tokens { if let slot = slot(ofSubscription: token) { setOnline(slot, isConnected, at: now) } }
        case .push(let push, let token, let fate):
            guard let slot = slot(ofSubscription: token) else { return }
            note(fate, of: push, slot, at: now)
            if fate == .stored, let next = realReceivers.nextExpiry(token) { requestWake(of: slot, at: next) }
        case .registered(let token, let subscription):
            guard let slot = slot(ofSubscription: subscription), let change = devices.register(token, slot, at: now)
            else { return }
            noteTokenChange(change, cause: "register", slot, at: now)
        case .unregistered(let token):
            guard let slot = devices.slot(ofFCM: token), devices[slot].receiver != nil,
                let change = devices.deleteToken(.fcm, slot, at: now)
            else { return }
            noteTokenChange(change, cause: "delete", slot, at: now)
        }
    }

    /// Cuts the connection of a real receiver. Does nothing to a simulated device.
    mutating func disconnectReceiver(at slot: Int) {
        if let token = devices[slot].receiver?.token { realReceivers.cut(token) }
    }

    /// Drops what has waited too long for a real receiver.
    mutating func dropExpired(of token: String, _ slot: Int, at now: Timestamp) {
        let next = realReceivers.dropExpired(of: token, at: now)
        applyReceiverNews(at: now)
        if let next { requestWake(of: slot, at: next) }
    }

    /// The device of the subscription whose endpoint has this token.
    func slot(ofSubscription token: String) -> Int? { subscribers[token].flatMap { devices.slot(of: $0) } }

    /// Finds the devices of subscriptions after a restart. No receiver is connected yet.
    mutating func restoreSubscriptions() {
        for slot in devices.oldestFirst {
            if let token = devices[slot].subscription?.token { subscribers[token] = devices.id(at: slot) }
            guard let receiver = devices[slot].receiver, !devices[slot].isAppRemoved else { continue }
            subscribers[receiver.token] = devices.id(at: slot)
            if let next = realReceivers.nextExpiry(receiver.token) { requestWake(of: slot, at: next) }
        }
    }

    /// Queues a message for the gateway, which encrypts it.
    mutating func queue(
        _ delivery: FCMDelivery, _ slot: Int, _ context: borrowing PushContext
    ) {
        guard var payload = caches.fcm.payload(of: context.request.body, addsMutableContent: false) else { return }
        (payload.name, payload.fid) = (delivery.name, devices[slot].fid)
        var text = JSONWriter()
        payload.writeWeb(to: &text)
        let lifetime = delivery.web.expires.map { ($0.milliseconds - delivery.sent.milliseconds) / 1000 } ?? 0
        pendingWork.receiverPushes.append(
            ReceiverPush(
                id: context.id, token: devices[slot].fcmToken, text: text.finish(), lifetime: Int(clamping: lifetime),
                topic: delivery.webTopic))
    }

    /// Records that an FCM message was dropped because its web app has unregistered.
    package mutating func dropUnregistered(_ push: ReceiverPush, at now: Timestamp) {
        guard let slot = devices.slot(ofFCM: push.token) else { return }
        note(.dropped(.unsubscribed), of: push.id, slot, at: now)
    }

    private mutating func makeDevice(for receiver: Receiver, at now: Timestamp) {
        guard receiver.app.utf8.count <= Self.maxAppNameLength, makeRoomForImplicitDevice(at: now) else { return }
        let slot = devices.makeReceiver(
            Device.Receiver(token: receiver.token, client: receiver.client, endpoint: receiver.endpoint),
            app: receiver.app, in: dialects.apns.policy.environment)
        subscribers[receiver.token] = devices.id(at: slot)
        noteCreation(of: slot, at: now)
    }

    private mutating func note(_ fate: PushFate, of push: PushID, _ slot: Int, at now: Timestamp) {
        switch fate {
        case .stored: append(DeviceEvent(.stored, push: push, why: DropRule.browserAway.rule), slot, at: now)
        case .delivered: append(DeviceEvent(.delivered, push: push), slot, at: now)
        case .acknowledged(let code):
            let fields = [("name", JSONScalar.string("ack"))] + (code.map { [("code", .int($0))] } ?? [])
            // Firefox says 101 for a push that it could not decrypt (docs/evidence/receivers.md §7.1).
            let why = code == 101 ? DropRule.browserUnreadable.rule : nil
            append(DeviceEvent(.callback, push: push, why: why), detail: .fields(fields), slot, at: now)
        case .replaced(let newer):
            append(
                DeviceEvent(.collapsed, push: push, why: DropRule.browserReplaced.rule), detail: .replaced(by: newer),
                slot, at: now)
        case .dropped(let reason):
            append(DeviceEvent(.dropped, push: push, why: DropRule(reason).rule), slot, at: now)
        }
    }
}

extension DropRule {
    fileprivate init(_ reason: PushFate.Reason) {
        self =
            switch reason {
            case .expired: .browserExpired
            case .notConnected: .browserNotConnected
            case .tooMany: .browserCrowded
            case .unsubscribed: .browserUnsubscribed
            case .withdrawn: .browserWithdrawn
            case .notEncrypted: .browserNotEncrypted
            case .noRoom: .full
            }
    }
}
