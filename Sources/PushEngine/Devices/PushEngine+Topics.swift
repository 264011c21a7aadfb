internal import Devices
internal import FCM
package import PushCore

/// Topic subscriptions, for Google's two APIs and for the devices themselves.
extension PushEngine {
    /// Carries out a call to Google's APIs about one token.
    mutating func perform(_ call: TopicCall, at now: Timestamp) -> TopicCall.Outcome {
        guard let place = devices.place(ofFCM: call.token), devices[place].unregisteredSince == nil else {
            return .unregistered
        }
        if let project = call.project, let own = devices[place].project, own != project { return .foreign }
        if call.verb != .look, quotas?.subscribe(by: call.project ?? devices[place].project ?? "", at: now) == false {
            return .full
        }
        switch call.verb {
        case .look: return .done(holder(place))
        case .unsubscribe:
            guard devices.unsubscribe(place, from: call.topic) else { return .missing(holder(place)) }
            append(DeviceEvent(.unsubscribed), detail: .topic(call.topic), place, at: now)
            return .done(holder(place))
        case .subscribe:
            switch devices.subscribe(place, to: call.topic, at: now) {
            case .made:
                append(DeviceEvent(.subscribed), detail: .topic(call.topic), place, at: now)
                return .done(holder(place))
            case .there: return .already(holder(place))
            case .tooMany: return .tooMany
            case .full: return .full
            }
        }
    }

    /// Subscribes a device to a topic, or unsubscribes it. Returns the reason if that is not possible. Returns nil on
    /// success, and if there was nothing to change.
    package mutating func setTopic(_ name: String, _ isWanted: Bool, _ place: Int, at now: Timestamp) -> String? {
        // SDKs on phones remove the prefix (docs/evidence/device.md §3.3, code).
        let topic = name.hasPrefix("/topics/") ? String(name.dropFirst(8)) : name
        guard TopicCall.isTopic(topic) else {
            return "'\(topic.prefix(100))' is not a topic name. It has 1 to 900 letters, digits and -_.~%."
        }
        guard !devices[place].fcmToken.isEmpty, devices[place].unregisteredSince == nil, !devices[place].isAppRemoved
        else {
            return "Only a device with an FCM registration and the app installed can subscribe to topics."
        }
        let call = TopicCall(
            verb: isWanted ? .subscribe : .unsubscribe, token: devices[place].fcmToken, project: nil, topic: topic)
        switch perform(call, at: now) {
        case .done, .already, .missing: return nil
        case .tooMany: return "The device is subscribed to \(DeviceRegistry.topicLimit) topics, which is the limit."
        case .full: return "The gateway has reached its limit of topic subscriptions."
        case .unregistered, .foreign: preconditionFailure("the token of device \(place) is unknown")
        }
    }

    private func holder(_ place: Int) -> TopicRegistration {
        let device = devices[place]
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
