internal import HTTP2
internal import HTTPCore

/// What a call waits for.
enum Wish {
    case expect(Expectation)
    case events(EventStream)
}

/// Who waits: a connection, and with HTTP/2 a stream of it.
struct Caller: Hashable {
    let connection: ConnectionID
    let stream: StreamID?
    /// Whose form an answer of ours has.
    var isGoogles = false
}

/// Answers that come later than the turn they were asked for in.
extension Gateway {
    func wait(for wish: Wish, _ caller: Caller) {
        switch wish {
        case .expect(let expectation):
            expectations.add(expectation, caller, at: loopNow)
            wakeWhenDue()
        case .events(let stream): open(stream, caller)
        }
    }

    var hasWaiting: Bool { !expectations.isEmpty || !streams.isEmpty || keeper != nil }

    /// Nobody waits for that any more.
    func forget(_ connection: ConnectionID, _ stream: StreamID? = nil) {
        expectations.forget { $0.connection == connection && (stream == nil || $0.stream == stream) }
        for reader in streams
        where reader.caller.connection == connection && (stream == nil || reader.caller.stream == stream) {
            reader.isOver = true
        }
        streams.removeAll(where: \.isOver)
        keeper?.forget(connection, stream)
    }

    /// The gateway goes down: nothing more will come.
    func endWaiting() {
        endStreams()
        let problem = ControlProblem(status: 503, code: "goingDown", message: "The gateway goes down.")
        for caller in expectations.takeAll() { answer(problem.response, to: caller) }
    }

    func answer(_ response: Response, to caller: Caller) {
        guard let connection = connections[caller.connection] else { return }
        write(response, to: caller, connection, dances: false)
        connection.flush()
    }

    func write(_ response: Response, to caller: Caller, _ connection: Connection, dances: Bool) {
        switch connection.layer {
        case .http1(let channel): channel.answerLate(response)
        case .http2(let channel):
            if let stream = caller.stream { channel.answer(response, on: stream, isHead: false, dances: dances) }
        case .opening, .handshaking, .sniffing, .webSocket: break
        }
    }
}
