internal import Devices
internal import FCM
package import PushCore

/// Topic subscriptions, for Google's two APIs and for the devices themselves.
extension PushEngine {
    /// Carries out a call to Google's APIs about one token.
    mutating func perform(_ call: TopicCall, at now: Timestamp) -> TopicCall.Outcome {
        guard let slot = devices.slot(ofFCM: call.token), devices[slot].unregisteredSince == nil else {
            return .unregistered
        }
        return perform(call, on: slot, at: now)
    }

    private mutating func perform(_ call: TopicCall, on slot: Int, at now: Timestamp) -> TopicCall.Outcome {
        if let project = call.project, let own = devices[slot].project, own != project { return .foreign }
        if call.verb != .read,
            quotas?.takeTopicChange(from: call.project ?? devices[slot].project ?? "", at: now) == false
        {
            return .full
        }
        switch call.verb {
        case .read: return .done(registration(at: slot))
        case .unsubscribe:
            guard devices.unsubscribe(slot, from: call.topic) else { return .missing(registration(at: slot)) }
            append(DeviceEvent(.unsubscribed), detail: .topic(call.topic), slot, at: now)
            return .done(registration(at: slot))
        case .subscribe:
            switch devices.subscribe(slot, to: call.topic, at: now) {
            case .subscribed:
                append(DeviceEvent(.subscribed), detail: .topic(call.topic), slot, at: now)
                return .done(registration(at: slot))
            case .alreadySubscribed: return .already(registration(at: slot))
            case .deviceLimit: return .tooMany
            case .gatewayLimit: return .full
            }
        }
    }

    /// Subscribes a device to a topic, or unsubscribes it. Returns the reason if that is not possible. Returns nil on
    /// success, and if there was nothing to change.
    package mutating func setTopic(_ name: String, _ isWanted: Bool, _ slot: Int, at now: Timestamp) -> String? {
        // SDKs on phones remove the prefix (docs/evidence/device.md §3.3, code).
        let topic = name.hasPrefix("/topics/") ? String(name.dropFirst(8)) : name
        guard TopicCall.isTopic(topic) else {
            return "'\(topic.prefix(100))' is not a topic name. Use 1 to 900 characters: letters, digits and -_.~%."
        }
        guard !devices[slot].fcmToken.isEmpty, devices[slot].unregisteredSince == nil, !devices[slot].isAppRemoved
        else {
            return "Only a device with an FCM registration and the app installed can subscribe to topics."
        }
        let call = TopicCall(
            verb: isWanted ? .subscribe : .unsubscribe, token: devices[slot].fcmToken, project: nil, topic: topic)
        // The device is not looked up by its token, which may equal the installation id of another device.
        switch perform(call, on: slot, at: now) {
        case .done, .already, .missing: return nil
        case .tooMany: return "The device is subscribed to \(DeviceRegistry.topicLimit) topics, which is the limit."
        case .full:
            return "The gateway has reached its limit of topics or subscriptions, "
                + "or the project has made too many topic changes in a second."
        case .unregistered, .foreign: return "The device '\(devices.id(at: slot))' has no valid FCM registration."
        }
    }

    private func registration(at slot: Int) -> TopicRegistration {
        let device = devices[slot]
        let platform =
            switch device.platform {
            case .ios: "IOS"
            case .android: "ANDROID"
            case .web: "CHROME"
            }
        return TopicRegistration(
            app: device.app, fid: device.fid, token: device.fcmToken, platform: platform, topics: device.topics)
    }
}
