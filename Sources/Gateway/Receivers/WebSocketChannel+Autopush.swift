internal import HTTPCore
internal import Persistence
internal import Platform
internal import PushCore
internal import PushEngine
internal import Receivers
internal import WebSocket

/// A WebSocket of a client of Mozilla's push service, such as Firefox.
extension WebSocketChannel {
    /// The subprotocol that such clients offer, on the path `/`.
    static let autopushSubprotocol = "push-notification"

    func receiveAutopush(_ bytes: [UInt8]) {
        let gateway = connection.gateway
        do throws(AutopushSession.Problem) {
            let answers = try autopush?.receive(
                bytes, &gateway.box.engine.realReceivers.mozilla, connection.id, at: gateway.clock.now)
            gateway.noteReceiverNews()
            let waits = autopush?.hasChangedChannels == true && gateway.hasUnsaved
            for answer in answers ?? [] {
                if waits { hold(answer) } else { send(text: answer) }
            }
            deliverAutopush()
        } catch {
            gateway.noteReceiverNews()
            gateway.log(.info, "receiver closed", at: gateway.clock.now, ["because": error.sentence])
            close(.internalError, error.sentence)
        }
    }

    /// Sends an answer when what it says is saved.
    private func hold(_ answer: [UInt8]) {
        let response = Response(status: 200, body: .bytes(answer))
        connection.gateway.hold(
            HeldReply(
                to: ReplyTarget(connection: connection.id, stream: nil), response, for: nil, fault: nil, isHead: false))
    }

    /// Sends an answer that has waited, or ends the connection if the change could not be saved. The client
    /// reconnects.
    func sendDeferred(_ response: Response) {
        guard response.status == 200, case .bytes(let text) = response.body else {
            return close(.internalError, "the disk accepts no writes")
        }
        send(text: text)
    }

    /// Sends the pushes that wait for the client, as many as there is room and time for. The others follow when these are
    /// sent, or in the next turn.
    func deliverAutopush() {
        guard let autopush else { return }
        let gateway = connection.gateway
        while hasRoom,
            let text = autopush.nextMessage(
                from: &gateway.box.engine.realReceivers.mozilla, connection.id, at: gateway.clock.now)
        {
            send(text: text)
            guard !gateway.turn.isOver else {
                gateway.flushLater(connection.id)
                break
            }
        }
        gateway.noteDelivered()
    }

    func detachAutopush() {
        guard let client = autopush?.client else { return }
        connection.gateway.box.engine.realReceivers.mozilla.disconnect(client, connection.id)
        connection.gateway.noteReceiverNews()
    }
}

extension Request {
    /// Whether it opens a WebSocket of Mozilla's push service.
    var opensAutopush: Bool {
        headers.first(.upgrade) != nil
            && headers.first(.webSocketProtocol).map { String(decoding: $0, as: UTF8.self) }
                == WebSocketChannel.autopushSubprotocol
    }
}
