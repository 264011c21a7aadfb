internal import PushCore
internal import WebSocket

/// The messages and frames that a phone's client sends.
extension TestPhone {
    /// Says hello and waits for the welcome.
    ///
    /// - Parameters:
    ///   - device: a spec, or `["id": …]` for an existing device.
    ///   - fields: additional members: `wants`, `resume`, `manualAck`, `exclusive`, `offlineWhenDisconnected`.
    @discardableResult public func hello(_ device: TestJSON, _ fields: TestJSON = [:]) throws -> TestJSON {
        try send("hello", (["device": device] as TestJSON).merging(fields))
        while true {
            let message = try take { ["welcome", "error"].contains($0["type"].string) }
            guard message["type"] == "welcome" else {
                throw TestFailure(.notMet, "expected a welcome, but got \(message)")
            }
            welcome = message
            return message
        }
    }

    /// Sends one message.
    public func send(_ type: String, _ fields: TestJSON = [:]) throws {
        try send(frame: .text, (["type": TestJSON(type)] as TestJSON).merging(fields).bytes)
    }

    /// Sends one message with a `ref` and waits for the message that answers it.
    @discardableResult public func ask(_ type: String, _ fields: TestJSON = [:]) throws -> TestJSON {
        referenceCount += 1
        let reference = TestJSON("r\(referenceCount)")
        try send(type, (["ref": reference] as TestJSON).merging(fields))
        return try take { $0["ref"] == reference }
    }

    /// Sends a text frame, which does not have to be JSON.
    public func send(text: String) throws { try send(frame: .text, Array(text.utf8)) }

    /// Sends a WebSocket ping.
    public func ping(_ payload: [UInt8]) throws { try send(frame: .ping, payload) }

    /// Sends raw bytes, which do not have to be WebSocket frames.
    public func write(_ bytes: [UInt8]) throws { try pipe.write(bytes) }

    func send(frame opcode: Opcode, _ payload: [UInt8]) throws {
        let mask = (0..<4).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var output: [UInt8] = []
        FrameEncoder.append(opcode, payload, mask: mask, into: &output)
        try pipe.write(output)
    }

    /// The request that opens a device socket.
    static func handshake(host: String, apiToken: String?, fields: TestFields) -> [UInt8] {
        var lines = ["GET \(WireNames.deviceSocketPath) HTTP/1.1", "Host: \(host)"]
        var given: [(String, String)] = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ("Sec-WebSocket-Protocol", WireNames.deviceSubprotocol),
        ]
        if let apiToken { given.append(("Authorization", "Bearer \(apiToken)")) }
        for (name, value) in fields.all {
            given.removeAll { $0.0.lowercased() == name.lowercased() }
            given.append((name, value))
        }
        lines += given.map { "\($0): \($1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
