internal import APNs
internal import Devices
internal import FCM
internal import HTTPCore
internal import JSON
package import PushCore
package import Receivers

/// Real receivers: pages in browsers, and apps, that take their pushes from the gateway. Each one is a device. What
/// becomes of their pushes is decided by the receivers' books; the engine records it.
extension PushEngine {
    /// The number for a web push that has come.
    package mutating func nextWebPush() -> PushID { nextRequestID() }

    /// Records a web push with its answer.
    package mutating func record(_ webPush: WebPush, _ answer: WebPushAnswer) {
        let device = receivers[webPush.token].flatMap { devices.slot(of: $0) }
        var findings: [Finding] = []
        if let rule = answer.refusal {
            metrics.refused += 1
            findings.append(Finding(rule.id.description, .error, at: "", rule.meaning))
        } else {
            metrics.accepted += 1
        }
        let verdict = RecordedVerdict(
            kind: answer.refusal == nil ? .accepted : .refused, provider: .webpush,
            app: device.map { devices.app(at: $0) } ?? "", device: device.map { devices.id(at: $0) },
            status: answer.response.status, reason: answer.reason, why: answer.refusal?.id, findings: findings)
        record(verdict, PushContext(webPush.request, id: webPush.id, at: webPush.now))
    }

    package mutating func apply(_ news: ReceiverNews, at now: Timestamp) {
        switch news {
        case .subscribed(let receiver): makeDevice(for: receiver, at: now)
        case .unsubscribed(let token):
            guard let id = receivers.removeValue(forKey: token), let slot = devices.slot(of: id) else { return }
            // A device with a token of FCM stays, so that senders to that token are told that it is gone.
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
            for token in tokens {
                guard let slot = receivers[token].flatMap({ devices.slot(of: $0) }) else { continue }
                setOnline(slot, isConnected, at: now)
            }
        case .push(let push, let token, let fate):
            guard let slot = receivers[token].flatMap({ devices.slot(of: $0) }) else { return }
            note(fate, of: push, slot, at: now)
        }
    }

    /// A web app has registered its subscription with Firebase, or has ended that.
    package mutating func apply(_ news: FirebaseNews, at now: Timestamp) {
        switch news {
        case .registered(let token, let subscription):
            guard let slot = receivers[subscription].flatMap({ devices.slot(of: $0) }),
                let change = devices.register(token, slot, at: now)
            else { return }
            noteTokenChange(change, cause: "register", slot, at: now)
        case .unregistered(let token):
            guard let slot = devices.slot(ofFCM: token), devices[slot].receiver != nil,
                let change = devices.deleteToken(.fcm, slot, at: now)
            else { return }
            noteTokenChange(change, cause: "delete", slot, at: now)
        }
    }

    /// Leaves a message to the gateway, which can encrypt it.
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

    private mutating func makeDevice(for receiver: Receiver, at now: Timestamp) {
        guard receiver.app.utf8.count <= Self.maxAppNameLength, makeRoomForImplicitDevice(at: now) else { return }
        let slot = devices.makeReceiver(
            Device.Receiver(token: receiver.token, client: receiver.client, endpoint: receiver.endpoint),
            app: receiver.app, in: dialects.apns.policy.environment)
        receivers[receiver.token] = devices.id(at: slot)
        noteCreation(of: slot, at: now)
    }

    private mutating func note(_ fate: PushFate, of push: PushID, _ slot: Int, at now: Timestamp) {
        switch fate {
        case .stored: append(DeviceEvent(.stored, push: push, why: DropRule.browserAway.rule), slot, at: now)
        case .delivered: append(DeviceEvent(.delivered, push: push), slot, at: now)
        case .acknowledged(let code):
            let fields = [("name", JSONScalar.string("ack"))] + (code.map { [("code", .int($0))] } ?? [])
            append(DeviceEvent(.callback, push: push), detail: .fields(fields), slot, at: now)
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
            }
    }
}
