internal import Devices
internal import FCM
package import PushCore

/// Topics: Google's two APIs and devices themselves change one index.
extension PushEngine {
    mutating func perform(_ call: TopicCall, at now: Timestamp) -> TopicCall.Outcome {
        guard let place = devices.place(ofFCM: call.token), devices[place].uninstalled == nil else {
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
            append(DeviceEvent(.unsubscribed, detail: .topic(call.topic)), place, at: now)
            return .done(holder(place))
        case .subscribe:
            switch devices.subscribe(place, to: call.topic, at: now) {
            case .made:
                append(DeviceEvent(.subscribed, detail: .topic(call.topic)), place, at: now)
                return .done(holder(place))
            case .there: return .already(holder(place))
            case .tooMany: return .tooMany
            case .full: return .full
            }
        }
    }

    /// A device itself begins or ends to hear a topic. Nil where that is so now.
    package mutating func setTopic(_ name: String, _ isWanted: Bool, _ place: Int, at now: Timestamp) -> String? {
        // SDKs on phones take the prefix off (facts/device.md §3.3, code).
        let topic = name.hasPrefix("/topics/") ? String(name.dropFirst(8)) : name
        guard TopicCall.isTopic(topic) else {
            return "'\(topic.prefix(100))' is no topic: take 1 to 900 of letters, digits and -_.~%."
        }
        guard !devices[place].fcmToken.isEmpty, devices[place].uninstalled == nil, !devices[place].isGone else {
            return "Only a device with an FCM registration and the app on it hears topics."
        }
        let call = TopicCall(
            verb: isWanted ? .subscribe : .unsubscribe, token: devices[place].fcmToken, project: nil, topic: topic)
        switch perform(call, at: now) {
        case .done, .already, .missing: return nil
        case .tooMany: return "It hears \(DeviceRegistry.topicLimit) topics: as many as it may."
        case .full: return "All devices together hear as many topics as they may."
        case .unregistered, .foreign: preconditionFailure("a device's own token, \(place)")
        }
    }

    private func holder(_ place: Int) -> TopicHolder {
        let device = devices[place]
        let platform =
            switch device.platform {
            case .ios: "IOS"
            case .android: "ANDROID"
            case .web: "CHROME"
            }
        return TopicHolder(
            app: device.app, fid: device.fid, token: device.fcmToken, platform: platform, topics: device.topics)
    }
}
