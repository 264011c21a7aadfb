internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let messageRoutes: [Route] = [
        Route(
            .get, "/messages", "List the received pushes, newest first.",
            query: filterQuery + [.limit, .cursor],
            answers: [(200, .page("messages", .named("Message")))],
            reply: { (call) throws(ControlProblem) in .deferred(.query(try MessageList(call))) }),
        Route(
            .delete, "/messages", "Delete the pushes that match the filters, or all.", query: filterQuery,
            answers: [(200, .object([Schema.member("deleted", .integer(0...Int.max), required: true)]))],
            reply: deleteMessages),
        Route(
            .get, "/messages/{id}", "Show one push.", answers: [(200, .named("Message"))],
            reply: Route.withJournal(showMessage)),
        Route(
            .get, "/messages/{id}/raw", "Show the raw request. Credentials are replaced by a fingerprint.",
            answers: [(200, .text())],
            contentTypes: ["application/http"], reply: Route.withJournal(showRaw)),
        Route(
            .get, "/messages/{id}/export",
            "Export a push to send it again: as a file for Xcode's simulator, a curl command, an FCM request, a command for a simulator or emulator, or a program in Python or JavaScript.",
            query: [Schema.member("as", .words(MessageExport.Shape.allCases.map(\.rawValue)), required: true)],
            answers: [(200, .anything)], contentTypes: ["application/json", "text/plain; charset=utf-8"],
            reply: Route.withJournal(export)
        ),
    ]

    static let filterQuery: [Schema.Member] =
        MessageFilter.Field.allCases.map(filterMember) + [
            Schema.member("since", .text(), "Only pushes at or after this time, or after this event number."),
            Schema.member("until", .text(), "Only pushes up to this time or event number."),
            Schema.member(
                QueryReader.pointer, .text(),
                "A JSON pointer into the body, such as /aps/alert/title, and the value it must have."),
        ]

    static func filterMember(_ field: MessageFilter.Field) -> Schema.Member {
        switch field {
        case .provider: Schema.member(field.rawValue, .words(Provider.allCases.map(\.rawValue)))
        case .outcome: Schema.member(field.rawValue, .words(["accepted", "refused"]))
        case .apnsID: Schema.member(field.rawValue, .text(), "The apns-id in the answer, ignoring case.")
        case .apnsUniqueID: Schema.member(field.rawValue, .text(), "The apns-unique-id in the answer, ignoring case.")
        case .name:
            Schema.member(
                field.rawValue, .text(), "The name in the answer, projects/PROJECT/messages/ID, or only the ID.")
        case .text: Schema.member(field.rawValue, .text(), "Text that a string in the body contains, ignoring case.")
        case .app, .token, .device, .topic, .pushType, .status, .reason, .rule: Schema.member(field.rawValue, .text())
        }
    }

    private static func deleteMessages(_ call: Call) throws(ControlProblem) -> Reply {
        .deferred(.query(MessageDeletion(call, try MessageFilter(call.query))))
    }

    /// The message that the call's path names.
    static func message(_ call: Call) throws(ControlProblem) -> Message {
        guard let message = call.host.box.engine.message(named: call.name) else {
            throw .missing("The message '\(call.name.prefix(100))' does not exist, or was deleted.")
        }
        return message
    }

    private static func showMessage(_ call: Call) throws(ControlProblem) -> Response {
        let message = try message(call)
        var json = JSONWriter()
        json.value(message)
        return .json(json.finish())
    }

    private static func showRaw(_ call: Call) throws(ControlProblem) -> Response {
        let message = try message(call)
        let version =
            message.request.version == .http2 ? "HTTP/2" : message.request.version == .http11 ? "HTTP/1.1" : "HTTP/1.0"
        var text = "\(message.request.method.rawValue) \(message.shownTarget) \(version)\r\n"
        if let authority = message.request.authority, message.request.version == .http2 {
            text += "host: \(String(decoding: authority, as: UTF8.self))\r\n"
        }
        for (name, value) in message.shownHeaders { text += "\(name): \(value)\r\n" }
        return Response(
            status: 200, headers: HeaderBlock([.contentType: "application/http"]),
            body: .bytes(Array((text + "\r\n").utf8) + message.request.body))
    }

    private static func export(_ call: Call) throws(ControlProblem) -> Response {
        guard let shape = try call.query.word("as", MessageExport.Shape.self) else {
            let shapes = MessageExport.Shape.allCases.map(\.rawValue).joined(separator: ", ")
            throw QueryReader.bad("'as' is required: one of \(shapes).")
        }
        return try MessageExport(try message(call), call.host).response(as: shape)
    }
}
