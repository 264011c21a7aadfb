internal import ControlAPI
internal import Devices
internal import Fetching
internal import HTTP2
internal import HTTPCore
internal import Persistence
internal import PushEngine
internal import PushCore

/// Answers that come later: expectations, event streams, and pushes that wait for the disk.
extension Gateway {
    func wait(for reply: DeferredReply, _ replyTarget: ReplyTarget) {
        switch reply {
        case .expect(let expectation):
            box.engine.expectations.add(expectation, replyTarget, at: loopNow)
            wakeWhenDue()
        case .events(let stream): open(stream, replyTarget)
        case .query(let query): enqueue(query, replyTarget)
        case .file(let request): fetchFile(request, replyTarget)
        }
    }

    var hasWaiting: Bool {
        !box.engine.expectations.isEmpty || !streams.isEmpty || !queries.isEmpty || !files.isEmpty
            || persister != nil
    }

    /// Drops everything that waits for this connection, or for one of its streams.
    func forget(_ connection: ConnectionID, _ stream: StreamID? = nil) {
        box.engine.expectations.forget { $0.connection == connection && (stream == nil || $0.stream == stream) }
        queries.forget { $0.connection == connection && (stream == nil || $0.stream == stream) }
        for reader in streams
        where reader.replyTarget.connection == connection && (stream == nil || reader.replyTarget.stream == stream) {
            reader.isOver = true
        }
        streams.removeAll(where: \.isOver)
        files.removeAll { $0.connection == connection && (stream == nil || $0.stream == stream) }
        persister?.forget { $0.connection == connection && (stream == nil || $0.stream == stream) }
    }

    /// Ends all waiting calls, because the gateway is shutting down.
    func endWaiting() {
        endStreams()
        let problem = ControlProblem(status: 503, code: "goingDown", message: "The gateway is shutting down.")
        let waiting = box.engine.expectations.takeAll() + queries.replyTargets + files
        (queries, files) = (Queries(), [])
        for replyTarget in waiting { answer(problem.response, to: replyTarget) }
    }

    /// Answers with a file once it is fetched, unless the client is gone by then.
    private func fetchFile(_ request: FetchRequest, _ replyTarget: ReplyTarget) {
        files.append(replyTarget)
        outgoing?.apiFetcher?.fetch(request) { [unowned self] result in
            guard files.contains(replyTarget) else { return }
            files.removeAll { $0 == replyTarget }
            answer(MediaContent.response(to: result, at: request.url), to: replyTarget)
        }
    }

    func answer(_ response: Response, to replyTarget: ReplyTarget) {
        guard let connection = connections[replyTarget.connection] else { return }
        write(response, to: replyTarget, connection, adjustsStreamLimit: false)
        connection.flush()
    }

    func write(_ response: Response, to replyTarget: ReplyTarget, _ connection: Connection, adjustsStreamLimit: Bool) {
        switch connection.layer {
        case .http1(let channel): channel.sendDeferred(response)
        case .http2(let channel):
            if let stream = replyTarget.stream {
                channel.answer(response, on: stream, isHead: false, adjustsStreamLimit: adjustsStreamLimit)
            }
        case .webSocket(let channel): channel.sendDeferred(response)
        case .opening, .held, .handshaking, .sniffing, .relay, .mcs: break
        }
    }
}
