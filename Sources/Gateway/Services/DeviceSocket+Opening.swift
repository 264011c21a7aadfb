internal import HTTPCore
internal import WebSocket

/// Opening device sockets.
extension DeviceSocket {
    /// Answers a request for a WebSocket.
    static func open(
        _ request: Request, _ kind: WebSocketChannel.Kind, speaks subprotocol: String = subprotocol
    ) -> RequestOutcome {
        let headers = request.headers
        // HTTP/2 has no Upgrade field, so 426 makes no sense there.
        guard request.version != .http2 else { return .answer(Answers.noSocketHere) }
        guard request.version == .http11, headers.first(.upgrade) != nil else { return .answer(upgradeRequired) }
        // Several fields with this name form one list (RFC 9110 §5.3).
        let offered = headers.filter { $0.name.elementsEqual(HeaderName.webSocketProtocol.bytes) }
            .map(\.value).joined(separator: [UInt8(ascii: ",")])
        let verdict = Handshake.judge(
            key: headers.first(.webSocketKey), version: headers.first(.webSocketVersion),
            offered: Array(offered)[...], speaks: subprotocol)
        switch verdict {
        case .accept(let key, let chosen):
            var answer = HeaderBlock([.upgrade: "websocket", .connection: "Upgrade", .webSocketAccept: key])
            if let chosen { answer.append(.webSocketProtocol, chosen) }
            return .upgrade(Response(status: 101, headers: answer), kind)
        case .refuse(let status, let reason):
            var answer = status == 426 ? upgradeRequired : Response(status: status)
            answer.body = .bytes(Array((reason + "\n").utf8))
            if status == 426 {
                answer.headers.append(.webSocketVersion, "13")
            } else {
                answer.headers.append(.contentType, "text/plain; charset=utf-8")
            }
            return .answer(answer)
        }
    }

    static let upgradeRequired = Response(
        status: 426,
        headers: HeaderBlock([
            .connection: "Upgrade", .upgrade: "websocket", .contentType: "text/plain; charset=utf-8",
        ]), body: .bytes(Array("Open this as a WebSocket, over HTTP/1.1.\n".utf8)))
}

extension HeaderName {
    static let webSocketKey = HeaderName("sec-websocket-key")
    static let webSocketVersion = HeaderName("sec-websocket-version")
    static let webSocketProtocol = HeaderName("sec-websocket-protocol")
    static let webSocketAccept = HeaderName("sec-websocket-accept")
}
