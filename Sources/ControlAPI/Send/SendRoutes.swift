internal import APNs
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Pushes that the control API sends. They are handled like the pushes of a sender with valid credentials.
extension ControlAPI {
    static let sendRoutes: [Route] = [
        Route(
            .post, "/messages",
            "Send a push, as a sender with valid credentials would. The answer shows the push as GET /messages/{id} does, whether it was accepted or refused.",
            body: .anyOf([.object(applePush), .object(googlePush)]), answers: [(201, .named("Message"))], reply: send),
        Route(
            .post, "/messages/{id}/send", "Send a push again, with valid credentials.",
            answers: [(201, .named("Message"))],
            reply: { (call) throws(ControlProblem) in .deferred(.query(JournalCall(call, sendAgain))) }),
    ]

    private static let applePush = [
        Schema.member("provider", .words(["apns"]), required: true),
        Schema.member("token", .text(), "The device token. Not needed if the headers have :path."),
        Schema.member("environment", .words(PushEnvironment.allCases.map(\.rawValue)), "Default: --apns-environment."),
        Schema.member("headers", .map(.text()), "Request headers such as apns-topic."),
        Schema.member("body", .anything, "The payload."),
    ]
    private static let googlePush = [
        Schema.member("provider", .words(["fcm"]), required: true),
        Schema.member("project", .text(), required: true, "The Firebase project."),
        Schema.member(
            "body", .anything, required: true, "The body for messages:send: message, and perhaps validate_only."),
    ]

    private static func send(_ call: Call) throws(ControlProblem) -> Reply {
        var fields = try FieldReader(try call.body(), at: "")
        guard let provider = try fields.word("provider", Provider.self), provider != .webpush else {
            throw .bad("'provider' is required: apns or fcm.", at: "/provider")
        }
        let push: PushToSend
        switch provider {
        case .apns:
            let environment = try fields.word("environment", PushEnvironment.self)
            let request = try Request(applePush: &fields, to: try fields.string("token"))
            guard request.path.starts(with: "/3/".utf8) || request.path.starts(with: "/4/".utf8) else {
                throw .bad(
                    "Only pushes can be sent: ':path' must be /3/device/TOKEN or /4/broadcasts/apps/APP.",
                    at: "/headers/:path")
            }
            push = PushToSend(apple: request, in: environment)
        case .fcm, .webpush:
            guard let project = try fields.string("project"), PushToSend.isProject(project) else {
                throw .bad("'project' is required: a Firebase project, such as pushpit-local.", at: "/project")
            }
            guard let body = fields.value("body") else { throw .bad("'body' is required.", at: "/body") }
            push = PushToSend(google: Array(body.source), project: project)
        }
        try fields.end()
        return try reply(call, push)
    }

    private static func sendAgain(_ call: Call) throws(ControlProblem) -> Response {
        let message = try message(call)
        guard let push = PushToSend(again: message) else {
            let why =
                message.record.provider == .webpush
                ? "is a web push, which only its sender can sign" : "was sent to an API that no longer exists"
            throw ControlProblem(
                status: 409, code: "conflict", message: "\(message.record.id) \(why), so it can't be sent again.")
        }
        return try show(try push.send(call), call)
    }

    private static func reply(_ call: Call, _ push: PushToSend) throws(ControlProblem) -> Reply {
        let id = try push.send(call)
        return .deferred(
            .query(JournalCall(call) { (call) throws(ControlProblem) in try show(id, call) }))
    }

    private static func show(_ push: PushID, _ call: Call) throws(ControlProblem) -> Response {
        guard let message = call.host.box.engine.message(named: push.description) else {
            throw .missing("\(push) was sent, but the log has already forgotten it.")
        }
        var json = JSONWriter()
        json.value(message)
        var response = Response.json(json.finish())
        response.status = 201
        return response
    }
}
