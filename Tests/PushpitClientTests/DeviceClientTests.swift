import JSON
import EventLoop
import PushpitClient
import PushpitTesting
import Testing

extension ClientTests {
    /// The client of a device socket, as `pushpit device` uses it.
    @Suite struct DeviceClientTests {
        /// The messages up to one of that type, each as its type.
        private static func types(_ client: DeviceClient, upTo last: String) -> [String] {
            var found: [String] = []
            for _ in 0..<50 where found.last != last && !client.isClosed {
                _ = client.wait(alsoFor: nil, milliseconds: 5000)
                for message in client.receive() {
                    found.append((try? JSONDocument(parsing: message))?.root["type"]?.string ?? "?")
                }
            }
            return found
        }

        private static func hello(_ client: DeviceClient) {
            client.send("hello") { json in
                json.key("device")
                json.object { json in
                    json.member("id", "d")
                    json.member("platform", "ios")
                    json.member("app", "com.example.app")
                }
            }
        }

        @Test func `a device says hello, is welcomed, and gets a push`() throws {
            try LiveGateway.run { live in
                let client = try DeviceClient(to: live.address, apiToken: nil, seed: 1)
                Self.hello(client)
                #expect(Self.types(client, upTo: "welcome") == ["welcome"])
                client.send("state") { json in
                    json.key("set")
                    json.object { $0.member("locked", true) }
                }
                let answer = try live.gateway.send(
                    "POST", "/3/device/\(String(repeating: "a1b2", count: 16))",
                    headers: ["authorization": live.gateway.authorization, "apns-topic": "com.example.app"],
                    body: Array("{}".utf8))
                #expect(answer.status == 200)
                #expect(!client.isClosed)
                #expect(live.gateway.events().map(\.kind).contains("state"))
            }
        }

        @Test func `the gateway's closeText is kept`() throws {
            try LiveGateway.run { live in
                let client = try DeviceClient(to: live.address, apiToken: nil, seed: 1)
                Self.hello(client)
                #expect(Self.types(client, upTo: "welcome") == ["welcome"])
                #expect(try live.gateway.send("DELETE", "/api/v1/devices/d").status == 204)
                _ = Self.types(client, upTo: "none")
                #expect(client.isClosed)
                #expect(client.closeText.hasPrefix("4003"))
            }
        }

        @Test(arguments: [
            ("HTTP/1.1 403 Forbidden\r\n\r\n", "HTTP/1.1 403 Forbidden"), ("", ""), ("nonsense", "nonsense"),
        ])
        func `a server that opens no device socket is quoted`(answer: String, quoted: String) {
            let server = ScriptedServer(answering: answer)
            let failure = #expect(throws: BlockingClient.Failure.self) {
                try DeviceClient(to: server.address, apiToken: "secret", seed: 1)
            }
            #expect(failure?.description == "\(server.address) did not open a device socket; it answered '\(quoted)'")
            let request = server.request()
            #expect(request.contains("\r\nUpgrade: websocket\r\n"))
            #expect(request.contains("\r\nSec-WebSocket-Version: 13\r\n"))
            #expect(request.contains("\r\nAuthorization: Bearer secret\r\n"))
            let key = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
            #expect(key?.count == "Sec-WebSocket-Key: ".count + 24)
        }

        @Test(arguments: [
            ("text/plain; charset=utf-8", "Send a token.\nNot this.", ": Send a token."), ("text/html", "<html>", ""),
            ("text/plain", "", ""),
        ]) func `a gateway's reason is part of the error`(type: String, body: String, reason: String) {
            let head = "HTTP/1.1 401 Unauthorized\r\ncontent-type: \(type)\r\ncontent-length: \(body.utf8.count)"
            let server = ScriptedServer(answering: "\(head)\r\n\r\n\(body)")
            let failure = #expect(throws: BlockingClient.Failure.self) {
                try DeviceClient(to: server.address, apiToken: nil, seed: 1)
            }
            #expect(failure?.status == 401)
            #expect(failure?.description.hasSuffix("it answered 'HTTP/1.1 401 Unauthorized'\(reason)") == true)
        }

        private static let switched = Array("HTTP/1.1 101 Switching Protocols\r\n\r\n".utf8)

        @Test func `a ping is answered with its bytes, and messages come in their order`() throws {
            // A text, a ping with two bytes, and another text.
            let frames: [UInt8] = [0x81, 1, 0x61, 0x89, 2, 0x68, 0x69, 0x81, 1, 0x62]
            let server = ScriptedServer(answering: Self.switched + frames, readsAgain: true)
            let client = try DeviceClient(to: server.address, apiToken: nil, seed: 1)
            var messages: [[UInt8]] = []
            while !client.isClosed, messages.count < 2 { messages += client.receive() }
            #expect(messages == [[0x61], [0x62]])
            // A pong that is masked with zeros.
            #expect(server.received().suffix(8) == [0x8A, 0x82, 0, 0, 0, 0, 0x68, 0x69])
            #expect(client.receive() == [])
            #expect(client.isClosed)
        }

        /// Frames of the server, and the closeText.
        @Test(
            arguments: [
                ([0x88, 2, 0x0F, 0xA3], "4003"), ([0x88, 4, 0x0F, 0xA3, 0x68, 0x69], "4003: hi"), ([0x88, 0], "1000"),
                // A reserved bit, and a frame that is masked.
                ([0xC1, 0], ""), ([0x81, 0x80, 0, 0, 0, 0], ""),
            ] as [([UInt8], String)])
        func `a close, and what is no frame, end the socket`(frames: [UInt8], closeText: String) throws {
            let server = ScriptedServer(answering: Self.switched + frames)
            let client = try DeviceClient(to: server.address, apiToken: nil, seed: 1)
            #expect(client.receive() == [])
            #expect(client.isClosed)
            #expect(client.closeText == closeText)
        }

        @Test func `the same seed makes the same key`() {
            func key(_ seed: UInt64) -> Substring? {
                let server = ScriptedServer(answering: "")
                _ = try? DeviceClient(to: server.address, apiToken: nil, seed: seed)
                return server.request().split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
            }
            #expect(key(1) == key(1))
            #expect(key(1) != key(2))
        }

        @Test func `without a server the error names the address`() {
            let address = closedAddress()
            let failure = #expect(throws: BlockingClient.Failure.self) {
                try DeviceClient(to: address, apiToken: nil, seed: 1)
            }
            #expect(failure?.description == "cannot connect to \(address)")
        }
    }
}
