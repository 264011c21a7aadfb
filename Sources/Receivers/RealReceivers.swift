internal import FCM
package import HTTPCore
package import PushCore

/// All real receivers: the clients of Google's and Mozilla's push services, and the web apps of Firebase.
package struct RealReceivers {
    package var google: ReceiverBook
    package var mozilla: AutopushBook
    var firebase: FirebaseBook
    /// The records that were not saved, and the number of changes so far.
    var unsaved: Set<ReceiverRecord> = []
    package internal(set) var changeCount: UInt64 = 0
    /// False if nothing is saved on a disk.
    package var isCollecting = false

    /// The most bytes that pushes for all receivers take together.
    private let waitingByteCapacity: Int

    package init(
        seed: UInt64, waitingByteCapacity: Int = 256 << 20, isPoint: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.waitingByteCapacity = waitingByteCapacity
        google = ReceiverBook(seed: seed)
        mozilla = AutopushBook(seed: seed)
        firebase = FirebaseBook(seed: seed, isPoint: isPoint)
    }

    /// What has happened since the last call, oldest first.
    package mutating func takeNews() -> [ReceiverNews] {
        mozilla.forgetEndedPushes()
        google.log.ended = []
        let news = google.log.news + mozilla.log.news
        (google.log.news, mozilla.log.news) = ([], [])
        // When a subscription ends, its FCM token ends too.
        for case .unsubscribed(let token) in news { firebase.end(subscription: token) }
        let all = firebase.news + news
        firebase.news = []
        noteChanges()
        return all
    }

    private mutating func noteChanges() {
        for changed in [google.log.changed, mozilla.log.changed, firebase.changed] where isCollecting {
            unsaved.formUnion(changed)
            changeCount += UInt64(changed.count)
        }
        google.log.changed.removeAll()
        mozilla.log.changed.removeAll()
        firebase.changed.removeAll()
    }

    package var hasWoken: Bool { !google.log.woken.isEmpty || !mozilla.log.woken.isEmpty }

    /// The connections whose receivers have new pushes.
    package mutating func takeWoken() -> [ClientID] {
        defer { (google.log.woken, mozilla.log.woken) = ([], []) }
        return google.log.woken + mozilla.log.woken
    }

    /// The connections to close: the client has reconnected, or a fault cuts it.
    package mutating func takeConnectionsToClose() -> [ClientID] {
        defer { (google.log.toClose, mozilla.log.toClose) = ([], []) }
        return google.log.toClose + mozilla.log.toClose
    }

    /// What is known of an endpoint's token.
    package func endpoint(_ token: String, _ service: PushService) -> PushService.Endpoint {
        if service == .google, let registration = google.registrations[token] {
            return .open(key: Base64URL.decodeAny(registration.sender.utf8) ?? [])
        }
        if service == .mozilla, let subscription = mozilla.subscriptions[token] { return .open(key: subscription.key) }
        return google.deleted.contains(token) || mozilla.deleted.contains(token) ? .ended : .unknown
    }

    /// Remembers that the subscription of a simulated browser has ended.
    package mutating func noteEnd(of token: String) {
        google.noteEnd(of: token)
        noteChanges()
    }

    /// Adds a push that was accepted, for the receiver of its token. Returns the service's id of the push.
    package mutating func add(_ webPush: WebPush, _ terms: WebPushTerms) -> String {
        add(
            WaitingPush(
                push: webPush.id, token: webPush.token, encoding: terms.encoding, body: webPush.request.body,
                lifetime: terms.lifetime, topic: terms.topic, sent: webPush.now))
    }

    mutating func add(_ push: WaitingPush) -> String {
        // Some clients never acknowledge, so already delivered pushes are forgotten to make room for waiting ones.
        var tries = Self.mostForgotten
        while !hasRoom(for: push), tries > 0, google.forgetUnacknowledged() || mozilla.forgetUnacknowledged() {
            tries -= 1
        }
        guard hasRoom(for: push) else {
            google.log.news.append(.push(push.push, token: push.token, .dropped(.noRoom)))
            return newID(at: push.sent)
        }
        guard !google.knows(token: push.token) else { return google.add(push) }
        return mozilla.add(push)
    }

    /// The most clients whose delivered pushes are forgotten to make room for one push.
    private static let mostForgotten = 20

    private func hasRoom(for push: WaitingPush) -> Bool {
        google.log.waitingBytes + mozilla.log.waitingBytes + push.size <= waitingByteCapacity
    }

    /// Drops what has waited too long for the client of an endpoint's token. Returns when to look again, if ever.
    package mutating func dropExpired(of token: String, at now: Timestamp) -> Timestamp? {
        google.dropExpired(of: token, at: now)
        mozilla.dropExpired(of: token, at: now)
        return nextExpiry(token)
    }

    /// When the first push that waits for an endpoint's token has waited too long.
    package func nextExpiry(_ token: String) -> Timestamp? { google.nextExpiry(token) ?? mozilla.nextExpiry(token) }

    /// Whether the push was sent to a client that will say at once what became of it, as Firefox does. Chromium says so
    /// with its next heartbeat.
    package func awaitsReceipt(of push: PushID, _ token: String) -> Bool { mozilla.awaitsReceipt(of: push, token) }

    /// Cuts the connection of the receiver of an endpoint's token. What is sent to it waits until it connects again.
    package mutating func cut(_ token: String) {
        google.cut(token)
        mozilla.cut(token)
    }

    /// Ends the subscription of an endpoint's token, as if its client had done so.
    package mutating func end(_ token: String) {
        google.end(token)
        mozilla.end(token)
    }

    /// An id of a push in Google's form.
    package mutating func newID(at now: Timestamp) -> String { DataMessage.id(at: now, using: &google.random) }

    /// A token for the endpoint of a simulated browser.
    package mutating func newToken() -> String { google.newToken() }

    // MARK: Calls

    /// Whether it is a call of a receiver, and not a push.
    package static func isCall(_ request: Request) -> Bool {
        let path = String(decoding: request.path, as: UTF8.self)
        return ["/checkin", "/c2dm/register3"].contains(path) || path.hasPrefix("/v1/") || path.hasPrefix("/m/")
    }

    /// Answers a call of a receiver.
    package mutating func answer(_ request: Request, at now: Timestamp) -> Response {
        let path = String(decoding: request.path, as: UTF8.self)
        switch (path, request.method) {
        case ("/checkin", .post): return google.checkIn(request, at: now)
        case ("/c2dm/register3", .post):
            return google.register(request) { [firebase] in firebase.registrations[$0] != nil }
        case (_, .delete) where path.hasPrefix("/m/"):
            return Response(status: mozilla.delete(String(path.dropFirst("/m/".utf8.count))) ? 200 : 404)
        case _ where path.hasPrefix("/v1/"):
            let knows: (String) -> Bool = { [google, mozilla] in google.knows(token: $0) || mozilla.knows(token: $0) }
            return firebase.answer(request, at: now, knows: knows)
        default: return Response(status: 405)
        }
    }

    // MARK: Messages of FCM

    /// The web app that an FCM token leads to.
    package func webApp(_ token: String) -> FirebaseRegistration? { firebase.registrations[token] }

    /// Adds an FCM message, encrypted for its web app.
    package mutating func add(_ push: EncryptedPush, to app: FirebaseRegistration, at now: Timestamp) {
        _ = add(push.waiting(for: app.subscription, at: now))
    }

    /// Notes that an FCM message can't reach its web app.
    package mutating func drop(_ push: ReceiverPush, _ app: FirebaseRegistration, _ reason: PushFate.Reason) {
        google.log.news.append(.push(push.id, token: app.subscription, .dropped(reason)))
    }
}
