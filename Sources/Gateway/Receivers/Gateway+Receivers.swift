internal import FCM
internal import HTTPCore
internal import Platform
internal import PushCore
internal import PushEngine
internal import PushFeed
internal import Receivers
internal import Routing
internal import RuleTables
internal import TLS

/// Calls of clients that receive pushes, and web pushes to them.
extension Gateway {
    func handleReceiver(_ request: Request, on connection: Connection) -> Response {
        let path = String(decoding: request.path, as: UTF8.self)
        let last = PercentCode.decode((path.split(separator: "/").last ?? "").utf8, isForm: false)
        if request.method == .delete {
            return Response(status: path.hasPrefix("/m/") && autopush.delete(last) ? 200 : 404)
        }
        switch path {
        case "/checkin": return receivers.checkIn(request, at: clock.now)
        case "/c2dm/register3": return receivers.register(request)
        default: break
        }
        let isMozilla = path.hasPrefix("/wpush/")
        let answer =
            isMozilla
            ? autopush.send(
                request, to: last, base: connection.base(of: request), at: clock.now, verify: Self.verify)
            : receivers.send(request, to: last, at: clock.now, verify: Self.verify)
        if let rule = answer.refusal {
            note(
                .info, "refused", request,
                RequestNote(
                    status: answer.response.status, rule: rule, because: RuleBook.rule(rule.description)?.meaning))
        }
        deliverToReceivers()
        return answer.response
    }

    /// Sends the pushes that have come for connected clients.
    private func deliverToReceivers() {
        for id in receivers.takeWoken() + autopush.takeWoken() {
            guard let connection = connections[ConnectionID(slot: id.slot, generation: id.generation)] else { continue }
            switch connection.layer {
            case .mcs(let channel): channel.deliver()
            case .webSocket(let channel): channel.deliverAutopush()
            default: continue
            }
            connection.flush()
        }
    }

    /// Checks an ES256 signature by a public key of 65 bytes.
    private static func verify(_ key: [UInt8], _ message: [UInt8], _ signature: [UInt8]) -> Bool {
        (try? PublicKey(p256: key))?.verify(signature, of: message) ?? false
    }
}

extension Connection {
    /// Where the client reaches the gateway, such as `https://localhost:2197`.
    func base(of request: Request) -> String {
        "\(facts.isTLS ? "https" : "http")://\(request.headers.authorityText ?? "localhost")"
    }
}
