package import PushCore

/// An input to a device's state machine.
package enum DeviceInput: Sendable {
    case push(Arrival)
    /// The answer to `.fetch`.
    case fetched(PushID, FetchResult)
    /// The time of a `.wake` has come.
    case timer
    case act(UserAction)
    case clearAll
    case launch
    case forceQuit
    /// `state.app` has changed from this value.
    case appChanged(from: DeviceState.AppState)
    /// The result of a `remote` extension, sent by the client on the device socket.
    case extensionResult(PushID, ExtensionResult)
}

package enum ExtensionResult: Sendable {
    case content(title: String?, subtitle: String?, body: String?)
    case timeout
    case crash
}

/// An output of a device's state machine: an event, or a request to the gateway.
package enum DeviceEffect: Sendable {
    case event(Event.Kind, push: PushID?, why: PhoneRule, Event.Detail)
    /// The gateway must answer with `.fetched`. If it can't do so immediately, it must also send `.timer` when the
    /// phone's patience is over.
    case fetch(PushID, FetchRequest)
    /// The gateway must send `.timer` at that time.
    case wake(Timestamp)
    case hit(TrackingHit)
    /// The app's tracking code did not report that push. `isFinal` if a person has acted on the notification.
    case unreported(PushID, why: String, isFinal: Bool)
    /// A Live Activity has begun. It needs a token, and a subscription to the channel if there is one.
    case activityBegan(String, channel: String?)
    /// A Live Activity has ended, and its token must be retired.
    case activityEnded(DeviceToken?)
}

/// A report from an app to Adobe Campaign.
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
