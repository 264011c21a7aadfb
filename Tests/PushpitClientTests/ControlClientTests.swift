import EventLoop
import PushpitClient
import PushpitTesting
import Testing

extension ClientTests {
    /// Calls of the control API from the command line.
    @Suite struct ControlClientTests {
        private static func post(_ live: LiveGateway, _ path: String, _ body: String) throws -> ControlClient.Answer {
            try ControlClient(live.address, apiToken: nil, timeout: 5000).post(path, Array(body.utf8))
        }

        @Test func `a call is answered with its status and body`() throws {
            try LiveGateway.run { live in
                let made = try Self.post(live, "/devices", #"{"platform":"ios","app":"a","id":"d"}"#)
                #expect(made.status == 201)
                #expect(String(decoding: made.body, as: UTF8.self).hasPrefix(#"{"devices":[{"id":"d""#))
                #expect(try Self.post(live, "/devices", "{}").status == 400)
                #expect(try Self.post(live, "/nothing", "{}").status == 404)
                let shown = try ControlClient(live.address, apiToken: nil, timeout: 5000).get("/devices/d")
                #expect(shown.status == 200)
                #expect(String(decoding: shown.body, as: UTF8.self).hasPrefix(#"{"id":"d""#))
                #expect(live.gateway.events().map(\.kind) == ["registered"])
            }
        }

        /// What a server answers, and the status and body, or the beginning of the error.
        @Test(
            arguments: [
                ("HTTP/1.1 204 No Content\r\n\r\n", "204 "),
                ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200 hi"),
                ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200 hi"),
                ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", "200 hi"),
                ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi", "ADDRESS did not answer"),
                ("", "ADDRESS did not answer"),
                ("SSH-2.0\r\n\r\n", "ADDRESS does not speak HTTP/1.1; if it is"),
            ])
        func `an answer is read to its end`(answer: String, expected: String) {
            let server = ScriptedServer(answering: answer)
            var found = ""
            do throws(BlockingClient.Failure) {
                let client = ControlClient(server.address, apiToken: "secret", timeout: 5000)
                let answer = try client.post("/expect", Array("{}".utf8))
                found = "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
            } catch { found = error.description }
            #expect(found.hasPrefix(expected.replacing("ADDRESS", with: server.address.description)))
            let request = server.request()
            #expect(request.hasPrefix("POST /api/v1/expect HTTP/1.1\r\nHost: \(server.address)\r\n"))
            #expect(request.contains("\r\nAuthorization: Bearer secret\r\n"))
            #expect(request.contains("\r\nContent-Length: 2\r\n"))
            #expect(request.hasSuffix("\r\n\r\n{}"))
        }

        @Test func `without a server the error names the address`() {
            let address = closedAddress()
            let failure = #expect(throws: BlockingClient.Failure.self) {
                try ControlClient(address, apiToken: nil, timeout: 1000).post("/reset", [])
            }
            #expect(failure?.description == "cannot connect to \(address)")
        }
    }
}
