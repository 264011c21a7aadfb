internal import Console
internal import Devices
internal import HTTPCore
internal import Persistence
internal import PushCore
internal import PushEngine
internal import Routing

/// Pushpit's own pages.
extension Gateway {
    /// The answer of `/readyz`.
    var readiness: Response {
        if isDraining { return Answers.shuttingDown }
        return refusesPushesWhileUnsaved ? Answers.notSaving(persister?.problem) : Answers.ok
    }

    func handleOwnPage(_ request: Request, for service: Service, on connection: Connection) -> RequestOutcome {
        switch service {
        case .metrics:
            countOutgoing()
            return .answer(
                Answers.metrics(
                    box.engine.metrics.page(
                        openConnections: connections.count, devices: box.engine.devices.count,
                        newestEvent: box.engine.events.newest, turns: (turn.longest, turn.long))))
        case .console where request.opensAutopush:
            let kind = WebSocketChannel.Kind.autopush(base: connection.base(of: request))
            return DeviceSocket.open(request, kind, speaks: WebSocketChannel.autopushSubprotocol)
        case .console: return .answer(Console.answer(request) ?? Answers.notFound)
        case .control: return handleControl(request, on: connection)
        case .collector:
            let response = box.engine.collect(request, at: clock.now)
            scheduleWork()
            return .answer(response ?? Answers.notFound)
        case .deviceSocket: return DeviceSocket.open(request, .device)
        case .echoSocket:
            return configuration.hasTestEndpoints ? DeviceSocket.open(request, .echo) : .answer(Answers.notFound)
        case .apns, .apnsSandbox, .google, .live, .ready, .authority, .unknown, .preflight, .forbiddenPage, .proxy,
            .receiver:
            return .answer(Answers.notFound)
        }
    }
}
