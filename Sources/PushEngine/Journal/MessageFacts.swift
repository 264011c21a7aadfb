internal import APNs
internal import Devices
internal import FCM
package import HTTPCore
internal import JSON
package import PushCore

/// The values in a request that messages show and filters compare (docs/api.md).
package struct MessageFacts {
    package enum Target {
        case token(String)
        case fid(String)
        case topic(String)
        case condition(String)
        case channel(String)

        package var name: String {
            switch self {
            case .token: "token"
            case .fid: "fid"
            case .topic: "topic"
            case .condition: "condition"
            case .channel: "channel"
            }
        }

        package var text: String {
            switch self {
            case .token(let text), .fid(let text), .topic(let text), .condition(let text), .channel(let text): text
            }
        }

        /// The token or installation id, if the target is a single device.
        var token: String? {
            switch self {
            case .token(let text), .fid(let text): text
            case .topic, .condition, .channel: nil
            }
        }
    }

    package var target: Target?
    /// The Firebase project.
    package var project: String?
    /// FCM's topic, or `apns-topic`.
    var topic: String?
    package var pushType: String?
    var priority: String?
    var expiration: String?
    var collapseID: String?

    package init(_ request: Request, _ provider: Provider) {
        switch provider {
        case .apns: self.init(apple: request)
        case .fcm: self.init(google: request)
        case .webpush: self.init(web: request)
        }
    }

    private init(web request: Request) {
        func text(_ name: String) -> String? {
            request.headers.first(HeaderName(name)).map { String(decoding: $0, as: UTF8.self) }
        }
        if let token = request.path.split(separator: UInt8(ascii: "/")).last {
            target = .token(PercentCode.decode(token, isForm: false))
        }
        (priority, expiration, collapseID) = (text("urgency"), text("ttl"), text("topic"))
    }

    private init(apple request: Request) {
        func text(_ name: HeaderName) -> String? {
            request.headers.first(name).map { String(decoding: $0, as: UTF8.self) }
        }
        topic = text(.apnsTopic)
        pushType = text(.apnsPushType)
        priority = text(APNsField.priority.name)
        expiration = text(APNsField.expiration.name)
        collapseID = text(APNsField.collapseID.name)
        let path = request.path
        if let channel = text(.apnsChannelID), !path.starts(with: Self.devicePath) { target = .channel(channel) }
        guard path.starts(with: Self.devicePath) else { return }
        target = .token(String(decoding: path.dropFirst(Self.devicePath.count), as: UTF8.self).lowercased())
    }

    private static let devicePath = Array("/3/device/".utf8)

    private init(google request: Request) {
        project = request.project
        guard let message = (try? JSONDocument(parsing: request.body, dialect: .google))?.root["message"] else {
            return
        }
        if let token = message["token"]?.string {
            target = .token(token)
        } else if let fid = message["fid"]?.string {
            target = .fid(fid)
        } else if let topic = message["topic"]?.string {
            let name = topic.hasPrefix("/topics/") ? String(topic.dropFirst("/topics/".count)) : topic
            (target, self.topic) = (.topic(name), name)
        } else if let condition = message["condition"]?.string {
            target = .condition(condition)
        }
        pushType = message["apns"]?["headers"]?["apns-push-type"]?.string
        let android = message["android"]
        priority = android?["priority"]?.string
        expiration = android?["ttl"]?.string
        collapseID = (android?["collapse_key"] ?? android?["collapseKey"])?.string
    }
}

extension String {
    /// The host of an origin. Filters find the web pushes of a site by it, too.
    var hostOfOrigin: String? { pieces(separatedBy: "://").last.map(String.init) }
}

extension PushEngine {
    /// The Firebase project of an event: that of its message, or of its device. For a web push, the host of its site.
    package func project(of event: Event) -> String? {
        if case .push(let record) = event.detail, record.provider == .webpush { return event.app.hostOfOrigin }
        if case .push(let record) = event.detail, record.provider == .fcm {
            return events.request(at: record.request).flatMap { MessageFacts($0, .fcm).project }
        }
        return event.device.flatMap { devices.slot(of: $0) }.flatMap { devices[$0].project }
    }
}
