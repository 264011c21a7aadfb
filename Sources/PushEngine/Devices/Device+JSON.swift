internal import APNs
package import Devices
internal import FCM
package import JSON
internal import PushCore
internal import Receivers

/// A device as the frame `welcome` and the control API show it (docs/devices.md).
extension Device {
    ///
    /// - Parameter base: the gateway's URL.
    package func write(isConnected: Bool, base: @autoclosure () -> String, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id.description)
            json.member("platform", platform.rawValue)
            json.member("app", app)
            json.member("name", name)
            json.key("tokens")
            json.object { json in
                if let token = apnsToken { write(token, named: "apns", topic: app, to: &json) }
                writeActivityTokens(to: &json)
                for kind in TokenKind.allCases {
                    guard let token = otherTokens[kind] else { continue }
                    write(token, named: kind.rawValue, topic: app + APNsPushType(for: kind).suffix, to: &json)
                }
                guard !fcmToken.isEmpty else { return }
                json.key("fcm")
                json.object { json in
                    json.member("token", fcmToken)
                    json.member("fid", fid)
                    if let project = project { json.member("project", project) }
                    json.member("senderId", FCMPayload.senderID)
                }
            }
            json.key("state")
            state.write(to: &json)
            json.member("badge", phone.badge)
            json.key("shade")
            json.array { json in
                for entry in phone.shade.entries.reversed() { entry.write(to: &json) }
            }
            json.key("tracking")
            json.object { $0.member("profile", trackingProfile) }
            if let subscription {
                json.key("subscription")
                json.object { json in
                    json.member("endpoint", subscription.service.endpoint(subscription.token, base: base()))
                    json.key("keys")
                    json.object { json in
                        json.member("p256dh", Base64URL.encode(subscription.key))
                        json.member("auth", Base64URL.encode(subscription.secret))
                    }
                    if let key = subscription.senderKey {
                        json.member("applicationServerKey", Base64URL.encode(key))
                    }
                    json.member("pushService", subscription.service.rawValue)
                }
            }
            if let receiver {
                json.key("receiver")
                json.object { json in
                    json.member("client", receiver.client)
                    json.member("endpoint", receiver.endpoint)
                }
            }
            json.member("connected", isConnected)
            json.member("installed", !isAppRemoved)
        }
    }

    /// Where senders send web pushes; nil without a push subscription.
    package func endpoint(base: @autoclosure () -> String) -> String? {
        receiver?.endpoint ?? subscription.map { $0.service.endpoint($0.token, base: base()) }
    }

    private func write(_ token: DeviceToken, named name: String, topic: String, to json: inout JSONWriter) {
        json.key(name)
        json.object { json in
            json.member("token", token.hex)
            json.member("environment", environment.rawValue)
            json.member("topic", topic)
        }
    }

    private func writeActivityTokens(to json: inout JSONWriter) {
        let tokens = activityTokens
        guard !tokens.isEmpty else { return }
        json.key("liveActivity")
        json.object { json in
            json.member("topic", app + ".push-type.liveactivity")
            for (type, token) in tokens where type == nil { json.member("start", token.hex) }
            json.key("updates")
            json.object { json in for (type, token) in tokens { if let type { json.member(type, token.hex) } } }
        }
    }
}
