package import HTTPCore
internal import JSON
package import PushCore

/// The topic subscription API of 2026 (docs/evidence/fcm.md §1.1, documented), and the topic calls of the SDKs on
/// phones.
package struct TopicSubscriptions {
    package typealias Perform = (TopicCall) -> TopicCall.Outcome

    private let policy: FCMPolicy
    private let request: Request
    private let query: GoogleQuery
    private let project: String
    private let registration: String
    private let last: String?

    private static let pageSize = 1000
    private static let maximumPageSize = 2000

    package init(_ policy: FCMPolicy, _ request: Request, project: String, registration: String, last: String?) {
        self.policy = policy
        self.request = request
        self.project = project
        self.registration = registration
        self.last = last
        query = GoogleQuery(request)
    }

    package func answer(at now: Timestamp, bearers: BearerBook, _ perform: Perform) -> GoogleAnswer {
        do throws(GoogleError) {
            try query.checkFormats()
            return GoogleAnswer(response: query.answer(try self.body(at: now, bearers, perform)))
        } catch { return policy.answer(error, to: request, query, project: project) }
    }

    private func body(
        at now: Timestamp, _ bearers: BearerBook, _ perform: Perform
    ) throws(GoogleError) -> (inout JSONWriter) -> Void {
        if request.method == .post, let last { return try clientCall(last, perform) }
        let sender = try FCMCredentials.sender(of: request, query, policy, bearers, at: now)
        try FCMCredentials.authorize(sender, policy, project, "cloudmessaging.topicSubscriptions.\(permission)")
        switch (request.method, last) {
        case (.post, _):
            try query.check(["topicName", "topic_name"], answer: .message(.topicSubscription))
            try checkBody()
            let topic = query["topicName", "topic_name"] ?? ""
            let (holder, isNew) = try subscribe(topic, perform)
            if !isNew { throw .alreadySubscribed }
            return resource(topic, of: holder)
        case (.patch, let topic?):
            try query.check(
                ["allowMissing", "allow_missing", "updateMask", "update_mask"], answer: .message(.topicSubscription))
            try checkBody()
            guard isMissingAllowed else { return try found(topic, perform) }
            return resource(topic, of: try subscribe(topic, perform).holder)
        case (.delete, let topic?):
            try query.check(["allowMissing", "allow_missing"], answer: .nothing)
            let isGone = try ask(.unsubscribe, topic, perform) { if case .missing = $0 { true } else { false } }
            if isGone, !isMissingAllowed { throw .noSubscription }
            return { _ in }
        case (_, let topic?):
            try query.check(answer: .message(.topicSubscription))
            return try found(topic, perform)
        case (_, nil):
            try query.check(["pageSize", "page_size", "pageToken", "page_token"], answer: .subscriptions)
            return try list(perform)
        }
    }

    /// Answers `…/TOPIC:subscribe` and `:unsubscribe`, the calls of the SDKs on phones (from their source).
    ///
    /// Credentials are not checked, because the SDKs send an installation's own token, which the gateway did not issue.
    private func clientCall(_ last: String, _ perform: Perform) throws(GoogleError) -> (inout JSONWriter) -> Void {
        let verb = ":subscribe"
        if last.hasSuffix(verb) {
            _ = try subscribe(String(last.dropLast(verb.count)), perform)
        } else {
            _ = try ask(.unsubscribe, String(last.dropLast(":unsubscribe".count)), perform) { _ in true }
        }
        return { _ in }
    }

    /// The last part of the name of the required permission (documented).
    private var permission: String {
        switch request.method {
        case .post: "create"
        case .patch: "update"
        case .delete: "delete"
        case .get, .head, .put, .options, .connect, .other: last == nil ? "list" : "get"
        }
    }

    private var isMissingAllowed: Bool { query["allowMissing", "allow_missing"] == "true" }

    /// Checks that the body, if there is one, is a TopicSubscription. Its fields are output only and are not used.
    private func checkBody() throws(GoogleError) {
        guard !request.body.isEmpty || request.bodyIsOverLimit else { return }
        let document = try GoogleBody.parse(request)
        let violations = ProtoCheck(document, as: .topicSubscription).violations
        if !violations.isEmpty { throw .conversion(violations) }
    }

    private func ask<Result>(
        _ verb: TopicCall.Verb, _ topic: String, _ perform: Perform, _ read: (TopicCall.Outcome) -> Result
    ) throws(GoogleError) -> Result {
        let call = TopicCall(verb: verb, token: registration, project: project, topic: topic)
        if let refusal = call.refusal { throw refusal }
        guard verb == .read || FCMSyntax.isTopic(topic) else { throw .malformed(topic: topic) }
        let outcome = perform(call)
        if let error = call.error(of: outcome) { throw error }
        return read(outcome)
    }

    private func subscribe(_ topic: String, _ perform: Perform) throws(GoogleError) -> (
        holder: TopicRegistration, isNew: Bool
    ) {
        try ask(.subscribe, topic, perform) { outcome in
            switch outcome {
            case .done(let holder): (holder, true)
            case .already(let holder), .missing(let holder): (holder, false)
            case .unregistered, .foreign, .tooMany, .full: preconditionFailure("\(outcome) is an error")
            }
        }
    }

    private func holder(_ perform: Perform) throws(GoogleError) -> TopicRegistration {
        try ask(.read, "", perform) { outcome in
            guard case .done(let holder) = outcome else {
                preconditionFailure("\(outcome) is not a result of reading subscriptions")
            }
            return holder
        }
    }

    private func found(_ topic: String, _ perform: Perform) throws(GoogleError) -> (inout JSONWriter) -> Void {
        let holder = try holder(perform)
        guard holder.topics[topic] != nil else { throw .noSubscription }
        return resource(topic, of: holder)
    }

    private func resource(_ topic: String, of holder: TopicRegistration) -> (inout JSONWriter) -> Void {
        { json in write(topic, of: holder, to: &json) }
    }

    /// Lists the subscriptions in pages; a page's token is the last topic of the page before it.
    private func list(_ perform: Perform) throws(GoogleError) -> (inout JSONWriter) -> Void {
        let requested = query["pageSize", "page_size"].map { Int($0) ?? -1 } ?? 0
        guard requested >= 0 else { throw .value(at: "page_size", rule: "fcm.page") }
        let size = requested == 0 ? Self.pageSize : min(requested, Self.maximumPageSize)
        let holder = try holder(perform)
        let after = query["pageToken", "page_token"] ?? ""
        let names = holder.names.drop { !after.isEmpty && $0 <= after }
        let page = names.prefix(size)
        return { json in
            if !page.isEmpty {
                json.key("topicSubscriptions")
                json.array { json in for name in page { json.object { write(name, of: holder, to: &$0) } } }
            }
            if page.count < names.count, let last = page.last { json.member("nextPageToken", last) }
        }
    }

    private func write(_ topic: String, of holder: TopicRegistration, to json: inout JSONWriter) {
        json.member("name", "projects/\(project)/registrations/\(holder.fid)/topicSubscriptions/\(topic)")
        json.member("topicName", topic)
        if let since = holder.topics[topic] { json.member("createTime", since.description) }
    }
}
