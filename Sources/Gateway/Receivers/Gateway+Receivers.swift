internal import FCM
internal import HTTPCore
internal import Platform
internal import PushCore
internal import PushEngine
internal import PushFeed
internal import Receivers
internal import RuleTables
internal import TLS

/// Calls of clients that receive pushes, and web pushes to them.
extension Gateway {
    func handleReceiver(_ request: Request) -> Response {
        let path = String(decoding: request.path, as: UTF8.self)
        if path == "/checkin" { return receivers.checkIn(request, at: clock.now) }
        if path == "/c2dm/register3" { return receivers.register(request) }
        let token = PercentCode.decode((path.split(separator: "/").last ?? "").utf8, isForm: false)
        let answer = receivers.send(request, to: token, at: clock.now, verify: Self.verify)
        if let rule = answer.refusal {
            note(
                .info, "refused", request,
                RequestNote(
                    status: answer.response.status, rule: rule, because: RuleBook.rule(rule.description)?.meaning))
        }
        for id in receivers.takeWoken() {
            guard let connection = connections[ConnectionID(slot: id.slot, generation: id.generation)],
                case .mcs(let channel) = connection.layer
            else { continue }
            channel.deliver()
            connection.flush()
        }
        return answer.response
    }

    /// Checks an ES256 signature by a public key of 65 bytes.
    private static func verify(_ key: [UInt8], _ message: [UInt8], _ signature: [UInt8]) -> Bool {
        (try? PublicKey(p256: key))?.verify(signature, of: message) ?? false
    }
}
