package import PushCore

/// What has happened to receiving clients and to their pushes, for the log of events.
package enum ReceiverNews: Equatable {
    /// A page or an app takes pushes from now on.
    case subscribed(Receiver)
    case unsubscribed(token: String)
    /// A client subscribes a registration of FCM to a topic, or ends that.
    case topic(String, isWanted: Bool, fcmToken: String)
    /// The client of these tokens has connected, or its connection has ended.
    case connected(Bool, tokens: [String])
    case push(PushID, token: String, PushFate)
    /// A web app has registered its subscription with Firebase, or has ended that.
    case registered(token: String, subscription: String)
    case unregistered(token: String)
}

/// A page in a browser, or an app, that takes its pushes from the gateway.
package struct Receiver: Hashable, Sendable {
    /// The last part of the endpoint's path.
    package let token: String
    /// The page's origin, or the id of the app.
    package let app: String
    /// The program, such as `Chromium`.
    package let client: String
    /// Where senders send.
    package let endpoint: String

    package init(token: String, app: String, client: String, endpoint: String) {
        self.token = token
        self.app = app
        self.client = client
        self.endpoint = endpoint
    }
}

/// What has become of a web push after it was accepted.
package enum PushFate: Equatable {
    /// It waits until the client connects.
    case stored
    /// It was sent to the client.
    case delivered
    /// The client says that it has the push. Firefox adds a code: 100 if all is well.
    case acknowledged(code: Int64?)
    /// A newer push with the same topic took its place.
    case replaced(by: PushID)
    case dropped(Reason)

    package enum Reason: Sendable { case expired, notConnected, tooMany, unsubscribed, withdrawn, notEncrypted, noRoom }
}

/// An FCM message for a real receiver, before it is encrypted.
package struct ReceiverPush: Sendable {
    package let id: PushID
    /// The registration token.
    package let token: String
    /// The JSON that the page gets.
    package let text: [UInt8]
    /// Seconds.
    package let lifetime: Int
    package let topic: String?

    package init(id: PushID, token: String, text: [UInt8], lifetime: Int, topic: String?) {
        self.id = id
        self.token = token
        self.text = text
        self.lifetime = lifetime
        self.topic = topic
    }
}
