internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore

/// Registrations of web apps.
extension FirebaseBook {
    mutating func register(
        _ call: FirebaseCall, at now: Timestamp, replacing old: String?, _ knows: (String) -> Bool
    ) throws(FirebaseError) -> Response {
        let fid = try self.fid(of: call, at: now)
        // Only the installation that has registered a token may move it.
        guard old.map({ registrations[$0]?.installation == fid }) ?? true else { throw .notFound }
        guard let endpoint = call.text("web", "endpoint"),
            let subscription = endpoint.split(separator: "/").last.map({ PercentCode.decode($0.utf8, isForm: false) }),
            knows(subscription),
            let key = call.text("web", "p256dh").flatMap({ Base64URL.decodeAny($0.utf8) }), isPoint(key),
            let secret = call.text("web", "auth").flatMap({ Base64URL.decodeAny($0.utf8) }), secret.count == 16
        else { throw .invalid }
        let known = bySubscription[subscription]
        let token = old ?? known ?? newToken(fid)
        guard registrations[token] != nil || registrations.count < Self.most else { throw .full }
        // A subscription has one token, and a token one subscription.
        if let known, known != token { _ = forget(known) }
        if let before = registrations[token], before.subscription != subscription { _ = forget(token) }
        if let before = registrations[token], byInstallation[before.installation] == token {
            byInstallation[before.installation] = nil
        }
        restore(
            FirebaseRegistration(
                token: token, subscription: subscription, key: key, secret: secret, installation: fid))
        changed.insert(ReceiverRecord(.firebase, token))
        news.append(.registered(token: token, subscription: subscription))
        return FirebaseCall.answer { json in
            json.member("name", "projects/\(call.project)/registrations/\(fid)")
            json.member("token", token)
            if let web = call.document?.root["web"] {
                json.key("web")
                json.value(web)
            }
        }
    }

    mutating func restore(_ registration: FirebaseRegistration) {
        if byInstallation[registration.installation] == nil {
            forgettingOrder.place(registration.installation, hasRegistrations: true)
        }
        registrations[registration.token] = registration
        bySubscription[registration.subscription] = registration.token
        byInstallation[registration.installation] = registration.token
    }

    mutating func unregister(
        _ token: String, _ call: FirebaseCall, at now: Timestamp
    ) throws(FirebaseError) -> Response {
        let fid = try self.fid(of: call, at: now)
        guard token == fid || registrations[token]?.installation == fid else { throw .notFound }
        // Newer clients name their installation instead.
        guard forget(token == fid ? byInstallation[fid] ?? "" : token) || token == fid else { throw .notFound }
        return FirebaseCall.answer { _ in }
    }

    mutating func forget(_ token: String) -> Bool {
        guard let registration = registrations.removeValue(forKey: token) else { return false }
        bySubscription[registration.subscription] = nil
        if byInstallation[registration.installation] == token {
            byInstallation[registration.installation] = nil
            forgettingOrder.place(registration.installation, hasRegistrations: false)
        }
        changed.insert(ReceiverRecord(.firebase, token))
        news.append(.unregistered(token: token))
        return true
    }

    /// The installation whose auth token the call has: `FIS TOKEN`, or the token alone.
    private func fid(of call: FirebaseCall, at now: Timestamp) throws(FirebaseError) -> String {
        guard let given = call.field("x-goog-firebase-installations-auth") else { throw .unauthenticated }
        let token = given.hasPrefix("FIS ") ? given.dropFirst(4) : given[...]
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1].utf8),
            let claims = (try? JSONDocument(parsing: bytes))?.root, let fid = claims["fid"]?.string,
            let exp = claims["exp"]?.int64, exp > now.seconds, let installation = installations[fid],
            parts[2] == Self.signature(of: "\(parts[0]).\(parts[1])", installation)
        else { throw .unauthenticated }
        return fid
    }

    /// Ends the registrations of a subscription.
    mutating func end(subscription: String) {
        if let token = bySubscription[subscription] { _ = forget(token) }
    }
}

/// A web app that gets FCM messages over a subscription.
package struct FirebaseRegistration: Sendable {
    package let token: String
    /// The token of the subscription's endpoint.
    package let subscription: String
    /// The subscription's `p256dh`.
    package let key: [UInt8]
    /// The subscription's `auth`.
    package let secret: [UInt8]
    /// The id of its installation.
    let installation: String
}
