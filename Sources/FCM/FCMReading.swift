package import HTTPCore
internal import PushCore

/// What a body says, whoever sends it and whenever.
final class FCMReading: Sendable {
    let target: FCMTarget
    let isDryRun: Bool
    let findings: [Finding]
    let traits: FCMTraits

    init(_ target: FCMTarget, isDryRun: Bool, findings: [Finding], traits: FCMTraits) {
        self.target = target
        self.isDryRun = isDryRun
        self.findings = findings
        self.traits = traits
    }
}

/// What was read of the path, the credentials and the body that came last and were good. Who tells the same to a topic
/// or a group again and again sends it octet for octet the same: it is not read anew.
package struct FCMMemo: Sendable {
    private var body: [UInt8] = []
    private(set) var reading: FCMReading?
    private var field: [UInt8] = []
    private var sender: FCMCredentials.Sender?
    private var target: [UInt8] = []
    private var project = ""
    /// How answers for that project begin.
    private var opening: (project: String, octets: [UInt8])?

    package init() {}

    /// Which call it is; a path that came before is known for what it was.
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

    /// What an accepted message is answered with, in Google's indentation.
    mutating func success(project: String, name: String) -> [UInt8] {
        if opening?.project != project { opening = (project, GoogleAnswer.opening(for: project)) }
        var bytes = opening?.octets ?? []
        bytes += name.utf8
        bytes += GoogleAnswer.closing
        return bytes
    }

    func reading(of body: [UInt8]) -> FCMReading? { body.span.equals(self.body) ? reading : nil }

    mutating func keep(_ reading: FCMReading, of body: [UInt8]) {
        self.body = body
        self.reading = reading
    }

    /// Whose that field was, where it is in force still.
    func sender(_ field: Span<UInt8>, at now: Timestamp) -> FCMCredentials.Sender? {
        guard let sender, field.equals(self.field), sender.bearer.map({ $0.expires > now }) ?? true else { return nil }
        return sender
    }

    mutating func keep(_ sender: FCMCredentials.Sender, _ field: Span<UInt8>) {
        self.sender = sender
        self.field = []
        self.field.append(addingCapacity: field.count) { $0.append(field) }
    }
}
