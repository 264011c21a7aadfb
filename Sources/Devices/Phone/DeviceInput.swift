package import PushCore

/// What happens to a device.
package enum DeviceInput: Sendable {
    case push(Arrival)
    /// What was asked for with `.fetch` is known; nil: nothing is fetched from any network.
    case fetched(PushID, Media?)
    /// The time has come that was asked for with `.wake`.
    case timer
    case act(PersonAct)
    case clearAll
    case launch
    case forceQuit
    /// The app comes to the front or goes away: after a change of `state.app`.
    case appChanged(from: DeviceState.AppState)
    /// What the socket's client says in place of a `remote` extension.
    case extensionResult(PushID, ExtensionResult)
}

package enum ExtensionResult: Sendable {
    case content(title: String?, subtitle: String?, body: String?)
    case timeout
    case crash
}

/// What a device does, and what it wants done.
package enum DeviceEffect: Sendable {
    case event(Event.Kind, push: PushID?, why: PhoneRule, Event.Detail)
    /// `.fetched` is to follow at once, with what will come and when.
    case fetch(PushID, url: String)
    /// `.timer` is to follow then.
    case wake(Timestamp)
    case hit(TrackingHit)
    /// A Live Activity has begun: it gets a token of its own, and hears the channel.
    case activityBegan(String, channel: String?)
    /// Its token is good no more.
    case activityEnded(DeviceToken?)
}

/// What a phone gets when it fetches a URL.
package struct Media: Sendable {
    package var status: Int
    package var contentType: String
    package var size: Int
    /// Milliseconds until it is there.
    package var delay: Int64

    package init(status: Int = 200, contentType: String, size: Int, delay: Int64 = 0) {
        self.status = status
        self.contentType = contentType
        self.size = size
        self.delay = delay
    }
}

/// What an app reports to Adobe Campaign.
package struct TrackingHit: Sendable, Equatable {
    package let push: PushID?
    package let action: String
    package let broadlog: String
    package let delivery: String
    package let ecid: String

    package init(push: PushID?, action: String, broadlog: String, delivery: String, ecid: String) {
        self.push = push
        self.action = action
        self.broadlog = broadlog
        self.delivery = delivery
        self.ecid = ecid
    }
}
