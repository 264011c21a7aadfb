package import HTTPCore
internal import PushCore

/// Caches the path, the credentials and the body of the last valid request.
///
/// A sender that repeats a message, for example to a topic, sends the same bytes each time: they are parsed once.
package struct FCMRequestCache: Sendable {
    private var body: [UInt8] = []
    private var message: ParsedMessage?
    private var authorization: [UInt8] = []
    private var sender: FCMCredentials.Sender?
    private var target: [UInt8] = []
    private var project = ""
    /// The first part of the answers for a project.
    private var successPrefix: (project: String, bytes: [UInt8])?

    package init() {}

    /// The route of a request, from the cache if its path is that of the last request.
    package mutating func route(of request: Request) -> GoogleRoute {
        let headers = request.headers
        guard request.method == .post, let range = headers.range(of: .path) else { return GoogleRoute(request) }
        let path = headers.storage.span.extracting(range)
        if path.equals(target) { return .send(project: project) }
        let route = GoogleRoute(request)
        if case .send(let project) = route {
            self.project = project
            target = []
            target.append(addingCapacity: path.count) { $0.append(path) }
        }
        return route
    }

    /// The indented answer to an accepted message.
    mutating func success(project: String, name: String) -> [UInt8] {
        if successPrefix?.project != project { successPrefix = (project, GoogleAnswer.successPrefix(for: project)) }
        var bytes = successPrefix?.bytes ?? []
        bytes += name.utf8
        bytes += GoogleAnswer.successSuffix
        return bytes
    }

    /// The parsed message, if the body is that of the last request.
    func message(of body: [UInt8]) -> ParsedMessage? { body.span.equals(self.body) ? message : nil }

    mutating func keep(_ message: ParsedMessage, of body: [UInt8]) {
        self.body = body
        self.message = message
    }

    /// The sender, if the header `authorization` is that of the last request and the token has not expired.
    func sender(_ field: Span<UInt8>, at now: Timestamp) -> FCMCredentials.Sender? {
        guard let sender, field.equals(authorization), sender.bearer.map({ $0.expires > now }) ?? true else {
            return nil
        }
        return sender
    }

    mutating func keep(_ sender: FCMCredentials.Sender, _ field: Span<UInt8>) {
        self.sender = sender
        authorization = []
        authorization.append(addingCapacity: field.count) { $0.append(field) }
    }
}
