internal import FCM
package import HTTPCore
package import PushCore

/// Checkin and registration.
extension ReceiverBook {
    package mutating func checkIn(_ request: Request, at now: Timestamp) -> Response {
        guard let id = checkIn(Checkin(request.body)) else {
            return Response(status: 503, contentType: "text/plain; charset=UTF-8", text: "Too many clients.\n")
        }
        return Checkin.response(id, at: now)
    }

    /// `POST /c2dm/register3`: registers a token, deletes tokens, or changes topics.
    ///
    /// - Parameter isOfFCM: whether a web app has this token.
    package mutating func register(_ request: Request, isOfFCM: (String) -> Bool = { _ in true }) -> Response {
        let login = request.headers.first(.authorization).map { String(decoding: $0, as: UTF8.self) }
        guard let id = login.flatMap(ReceiverID.init(authorization:)), knows(id) else {
            return RegistrationError.authenticationFailed.response
        }
        let fields = PercentCode.pairs(request.body[...])
        guard let form = RegistrationForm(fields, client: id.android) else {
            return RegistrationError.invalidParameters.response
        }
        guard form.topic != nil || form.hasValidSender else { return RegistrationError.invalidSender.response }
        if let topic = form.topic {
            guard isOfFCM(form.registration.sender) else { return RegistrationError.invalidParameters.response }
            log.news.append(.topic(topic, isWanted: !form.isDeletion, fcmToken: form.registration.sender))
        } else if form.isDeletion {
            delete(form.registration)
        }
        if form.isDeletion || form.topic != nil {
            let name = form.registration.subtype.isEmpty ? form.registration.app : form.registration.subtype
            return Self.answer(token: name)
        }
        guard let token = token(for: form.registration) else { return RegistrationError.tooMany.response }
        return Self.answer(token: token)
    }

    /// Without a newline at the end: clients take everything after the sign as the token.
    private static func answer(token: String) -> Response {
        Response(status: 200, contentType: "text/plain; charset=UTF-8", text: "token=\(token)")
    }

    /// The token of a registration, which is made if it does not exist. Nil if there is no room.
    private mutating func token(for registration: Registration) -> String? {
        if let token = tokens[registration] { return token }
        guard let client = clients[registration.client], client.registrations.count < Self.mostRegistrations,
            registrations.count < Self.mostInAll.count, registeredBytes + registration.size <= Self.mostInAll.bytes
        else { return nil }
        var token = newToken()
        while registrations[token] != nil { token = newToken() }
        restore(registration, token)
        log.note(.registration, token)
        if let receiver = registration.receiver(token, host: client.host) {
            log.news.append(.subscribed(receiver))
            if client.session != nil { log.news.append(.connected(true, tokens: [token])) }
        }
        return token
    }

    mutating func restore(_ registration: Registration, _ token: String) {
        if clients[registration.client]?.registrations.isEmpty == true {
            forgettingOrder.place(registration.client, hasRegistrations: true)
        }
        clients[registration.client]?.registrations.insert(token)
        registrations[token] = registration
        tokens[registration] = token
        registeredBytes += registration.size
    }

    mutating func newToken() -> String { random.text(11) + ":APA91b" + random.text(134) }

    /// Deletes a token. With the sender `*`, all tokens of the same app and subtype.
    private mutating func delete(_ registration: Registration) {
        for token in clients[registration.client]?.registrations ?? [] {
            guard let known = registrations[token], known.app == registration.app,
                known.subtype == registration.subtype,
                registration.sender == "*" || known.sender == registration.sender
            else { continue }
            delete(token, known)
        }
    }

    /// Ends a registration, as if its client had deleted it.
    package mutating func end(_ token: String) {
        if let registration = registrations[token] { delete(token, registration) }
    }

    private mutating func delete(_ token: String, _ registration: Registration) {
        clients[registration.client]?.queue.end(token, owner: "\(registration.client)", &log)
        registrations[token] = nil
        tokens[registration] = nil
        registeredBytes -= registration.size
        clients[registration.client]?.registrations.remove(token)
        if clients[registration.client]?.registrations.isEmpty == true {
            forgettingOrder.place(registration.client, hasRegistrations: false)
        }
        log.news.append(.unsubscribed(token: token))
        log.note(.registration, token)
        noteEnd(of: token)
    }
}
