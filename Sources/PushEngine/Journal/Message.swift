internal import FCM
package import HTTPCore
package import JSON
package import PushCore
internal import Receivers

/// A push in the journal: the request, the answer and the devices that it went to.
package final class Message {
    package let event: Event
    package let record: PushRecord
    package let request: Request
    package let devices: [DeviceID]
    private let context: Context
    package private(set) lazy var facts = MessageFacts(request, record.provider)
    package private(set) lazy var ids = AnsweredIDs(record, request, context.idGenerator)
    /// The parsed body; nil if it is not valid JSON.
    package private(set) lazy var document = try? JSONDocument(
        parsing: request.body, dialect: record.provider == .fcm ? .google : .rfc8259)

    /// The headers without pseudo-headers, with a fingerprint in place of each secret.
    package private(set) lazy var shownHeaders: [(name: String, value: String)] = request.headers.compactMap { field in
        let (name, value) = (
            String(decoding: field.name, as: UTF8.self), String(decoding: field.value, as: UTF8.self)
        )
        if name.hasPrefix(":") { return nil }
        return (name, Message.secretHeaders.contains(name) ? fingerprint(of: value) : value)
    }

    /// What is needed to show a message, besides the push.
    struct Context {
        /// SHA-256, for fingerprints of secrets.
        let digest: @Sendable ([UInt8]) -> [UInt8]
        let idGenerator: IDGenerator
    }

    init(_ event: Event, _ record: PushRecord, _ request: Request, _ devices: [DeviceID], _ context: Context) {
        self.context = context
        self.event = event
        self.record = record
        self.request = request
        self.devices = devices
    }

    /// Whether the body is encrypted, and only the receiver has the key.
    package var isSealed: Bool { record.provider == .webpush && request.sealedBody == nil && !request.body.isEmpty }

    var isAccepted: Bool { event.kind == .accepted }

    /// Every string in the body; the whole body if it is not JSON.
    package private(set) lazy var texts: [String] = {
        if isSealed { return [] }
        guard let root = document?.root else { return [String(decoding: request.body, as: UTF8.self)] }
        var found: [String] = []
        Message.collect(root, &found)
        return found
    }()

    private static func collect(_ view: JSONView, _ found: inout [String]) {
        switch view.kind {
        case .string: if let text = view.string { found.append(text) }
        case .array: for element in view.elements { collect(element, &found) }
        case .object: for (_, value) in view.members { collect(value, &found) }
        case .null, .bool, .number: break
        }
    }
}

extension Message: JSONWritable {
    /// Writes the message as docs/api.md describes it.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", record.id)
            json.member("seq", event.seq)
            json.member("time", event.time)
            json.member("provider", record.provider.rawValue)
            ids.write(to: &json)
            json.member("app", event.app)
            if let project = facts.project { json.member("project", project) }
            json.member("environment", record.environment.rawValue)
            json.key("target")
            json.object { json in
                if let target = facts.target { json.member(target.name, target.text) }
            }
            json.member("devices", devices.map(\.description))
            json.member("pushType", facts.pushType)
            json.member("priority", facts.priority)
            json.member("expiration", facts.expiration)
            json.member("collapseId", facts.collapseID)
            json.member("outcome", event.kind.rawValue)
            json.member("status", record.status)
            json.member("reason", record.reason)
            if let why = event.why { json.member("why", why.description) }
            json.member("findings", record.findings)
            json.key("request")
            json.object { writeRequest(to: &$0) }
            if request.sealedBody != nil {
                json.key("encryption")
                EncryptedBody(request).write(to: &json)
            }
        }
    }

    private func writeRequest(to json: inout JSONWriter) {
        json.member("method", request.method.rawValue)
        json.member("path", shownTarget)
        json.key("headers")
        json.array { json in
            for (name, value) in shownHeaders {
                json.array { json in
                    json.string(name)
                    json.string(value)
                }
            }
        }
        json.key("body")
        if isSealed { return EncryptedBody(request).write(to: &json) }
        if let document = try? JSONDocument(parsing: request.body) {
            json.value(document.root)
        } else {
            let body = request.body
            json.string(utf8: body.span)
        }
    }

    /// The request target, with a fingerprint in place of each secret: Google accepts bearer tokens in the query, too.
    package var shownTarget: String { target { fingerprint(of: $0) } }

    /// The request target, with each secret replaced by the result of `replacement`.
    package func target(_ replacement: (String) -> String) -> String {
        let target = String(decoding: request.target, as: UTF8.self)
        guard let mark = target.firstIndex(of: "?") else { return target }
        let pairs = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).map {
            pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            let name = parts.first.map { PercentCode.decode($0.utf8) } ?? ""
            guard parts.count == 2, Self.secretParameters.contains(name) else { return String(pair) }
            return "\(parts[0])=\(replacement(String(parts[1])))"
        }
        return target[...mark] + pairs.joined(separator: "&")
    }

    fileprivate static let secretHeaders: Set = ["authorization", "cookie", "proxy-authorization", "x-goog-api-key"]
    private static let secretParameters: Set = ["access_token", "oauth_token", "key", "$key"]

    /// The authorization scheme and the beginning of a SHA-256 hash. Equal secrets have equal fingerprints.
    func fingerprint(of value: String) -> String {
        let parts = value.split(separator: " ", maxSplits: 1)
        let secret = Array((parts.count == 2 ? parts[1] : value[...]).utf8)
        let shortened = "sha256:" + Hex.encode(Array(context.digest(secret).prefix(8)))
        return parts.count == 2 ? "\(parts[0]) \(shortened)" : shortened
    }
}

extension Finding: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("rule", rule.description)
            json.member("severity", severity.rawValue)
            json.member("path", path)
            json.member("message", message)
        }
    }
}
