internal import Devices
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Exports a push in a form that can be sent again.
struct MessageExport {
    enum Shape: String, CaseIterable {
        case apns, curl, fcm, simctl, adb, aioapns, node
        case firebaseAdmin = "firebase-admin"
    }

    let message: Message
    let host: any ControlHost

    init(_ message: Message, _ host: any ControlHost) {
        self.message = message
        self.host = host
    }

    func response(as shape: Shape) throws(ControlProblem) -> Response {
        if message.record.provider == .webpush {
            throw conflict(
                "\(message.record.id) is a web push, which only its sender can sign. See /raw for the request.")
        }
        return switch shape {
        case .apns: .json(try apns())
        case .fcm: .json(try fcm())
        case .curl: command(try curl())
        case .simctl: command(try simctl())
        case .adb: command(try adb())
        case .aioapns: command(try aioapns())
        case .node: command(try node())
        case .firebaseAdmin: command(try firebaseAdmin())
        }
    }

    private func command(_ text: String) -> Response {
        Response(status: 200, contentType: "text/plain; charset=utf-8", text: text)
    }

    func conflict(_ reason: String) -> ControlProblem {
        ControlProblem(status: 409, code: "conflict", message: reason)
    }

    var isAPNs: Bool { message.record.provider == .apns }

    func root() throws(ControlProblem) -> JSONView {
        guard let root = message.document?.root, root.kind == .object else {
            throw conflict("The body of \(message.record.id) is not a JSON object.")
        }
        return root
    }

    /// The `.apns` file that Xcode's simulator accepts.
    func apns() throws(ControlProblem) -> [UInt8] {
        let payload = isAPNs ? try root() : try apnsPayload()
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("Simulator Target Bundle", app(on: .ios) ?? message.event.app)
            for (key, value) in payload.members where !key.equals("Simulator Target Bundle") {
                json.member(key.string ?? "", JSONValue(value))
            }
        }
        return json.finish()
    }

    /// The APNs payload that FCM would send to an iPhone.
    private func apnsPayload() throws(ControlProblem) -> JSONView {
        var read = FCMPayload(message.request.body, addsMutableContent: false)
        read?.name = message.record.name
        read?.sentTime = message.event.time.milliseconds
        var json = JSONWriter()
        if let read { read.writeApple(to: &json) }
        guard read != nil, let root = (try? JSONDocument(parsing: json.finish()))?.root, root.kind == .object else {
            throw conflict("\(message.record.id) contains nothing for an iPhone.")
        }
        return root
    }

    /// A complete request body for `messages:send`.
    private func fcm() throws(ControlProblem) -> [UInt8] {
        let root = try root()
        var json = JSONWriter(.pretty)
        if case .channel = message.facts.target {
            throw conflict("\(message.record.id) is a broadcast to a channel, and FCM has no channels.")
        }
        guard isAPNs else {
            json.value(JSONValue(root))
            return json.finish()
        }
        let fields = message.request.headers.filter { $0.name.starts(with: "apns-".utf8) }
        json.object { json in
            json.key("message")
            json.object { json in
                // An APNs token is not valid for FCM, but the same device may also have an FCM token.
                if case .token(let token) = message.facts.target {
                    json.member("token", fcmToken(of: token) ?? "REGISTRATION_TOKEN")
                }
                json.key("apns")
                json.object { json in
                    json.key("headers")
                    json.object { json in
                        for (name, value) in fields where !name.elementsEqual("apns-topic".utf8) {
                            json.member(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
                        }
                    }
                    json.member("payload", JSONValue(root))
                }
            }
        }
        return json.finish()
    }

    private func fcmToken(of token: String) -> String? {
        DeviceToken(hex: token.utf8Span.span).flatMap { host.box.engine.devices.fcmToken(ofAPNs: $0) }.flatMap {
            $0.isEmpty ? nil : $0
        }
    }
}
