internal import HTTPCore
internal import PushCore

/// Caches the credentials and the body of the last valid request.
///
/// A sender that repeats a message, for example to a topic, sends the same bytes each time: they are parsed once.
package struct FCMRequestCache: Sendable {
    private var message = Memo<[UInt8], ParsedMessage?>(nil, for: [])
    private var sender = Memo<[UInt8], FCMCredentials.Sender?>(nil, for: [])
    /// The first part of the answers for a project.
    private var successPrefix = Memo(GoogleAnswer.successPrefix(for: ""), for: "")

    package init() {}

    /// The indented answer to an accepted message.
    mutating func success(project: String, name: String) -> [UInt8] {
        if !successPrefix.has(project) {
            successPrefix.remember(GoogleAnswer.successPrefix(for: project), for: project)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(successPrefix.value.count + name.utf8.count + GoogleAnswer.successSuffix.count)
        bytes += successPrefix.value
        bytes += name.utf8
        bytes += GoogleAnswer.successSuffix
        return bytes
    }

    /// The parsed message, if the body is that of the last request.
    func message(of body: [UInt8]) -> ParsedMessage? { message.has(body.span) ? message.value : nil }

    /// The message for apps; nil if the body is not that of the last accepted request.
    package func payload(of body: [UInt8], addsMutableContent: Bool) -> FCMPayload? {
        message(of: body).map { FCMPayload($0.view, addsMutableContent: addsMutableContent) }
    }

    mutating func keep(_ message: ParsedMessage, of body: [UInt8]) { self.message.remember(message, for: body) }

    /// The sender, if the header `authorization` is that of the last request and the token has not expired.
    func sender(_ field: Span<UInt8>, at now: Timestamp) -> FCMCredentials.Sender? {
        guard sender.has(field), let sender = sender.value, sender.bearer.map({ $0.expires > now }) ?? true else {
            return nil
        }
        return sender
    }

    /// Call this when credentials that were valid may no longer be.
    package mutating func forgetSender() { sender.remember(nil, for: []) }

    mutating func keep(_ sender: FCMCredentials.Sender, _ field: Span<UInt8>) {
        self.sender.remember(sender, for: field)
    }
}
