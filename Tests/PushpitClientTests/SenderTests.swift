import Credentials
import HTTPCore
import JSON
import EventLoop
import PushpitClient
import PushpitTesting
import Testing

extension ClientTests {
    /// Sending pushes and messages to a gateway as a provider does.
    @Suite struct SenderTests {
        private static let token = String(repeating: "a1b2", count: 16)
        private static let alert = Array(#"{"aps":{"alert":"Hello"}}"#.utf8)

        private static func body(_ response: Response) -> [UInt8] {
            if case .bytes(let bytes) = response.body { return bytes }
            return []
        }

        @Test(arguments: [true, false]) func `a push is signed with the gateway's key and accepted`(overTLS: Bool)
            throws
        {
            try LiveGateway.run(isToday: true) { live in
                let sender = try ProviderSender(certificates: LiveGateway.certificates)
                #expect(sender.topic == "com.example.app")
                let response = try sender.send(
                    Self.alert, to: Self.token, fields: [("apns-topic", sender.topic)],
                    at: ProviderSender.Gateway(live.address, overTLS: overTLS, isSandbox: false))
                #expect(response.status == 200)
                #expect(response.headers.first(HeaderName("apns-unique-id")) == nil)
                let events = live.gateway.events()
                #expect(events.map(\.kind).contains("delivered"))
                // The key is known: no finding.
                #expect(events.flatMap(\.findings) == [])
            }
        }

        @Test func `the sandbox is asked for by its name`() throws {
            try LiveGateway.run(isToday: true) { live in
                let sender = try ProviderSender(certificates: LiveGateway.certificates)
                let response = try sender.send(
                    Self.alert, to: Self.token, fields: [("apns-topic", sender.topic)],
                    at: ProviderSender.Gateway(live.address, overTLS: true, isSandbox: true))
                #expect(response.status == 200)
                #expect(response.headers.first(HeaderName("apns-unique-id")) != nil)
            }
        }

        @Test func `a refusal is returned with its reason`() throws {
            try LiveGateway.run(isToday: true) { live in
                let sender = try ProviderSender(certificates: LiveGateway.certificates)
                let response = try sender.send(
                    Self.alert, to: Self.token, fields: [("apns-topic", sender.topic), ("apns-priority", "7")],
                    at: ProviderSender.Gateway(live.address, overTLS: true, isSandbox: false))
                #expect(response.status == 400)
                #expect(Self.body(response) == Array(#"{"reason":"BadPriority"}"#.utf8))
            }
        }

        @Test(arguments: ["a1b2 c3d4", "a1/b2?x", "a\nb", "ä%2F", "#"])
        func `a device token that no path can have as it is arrives as one`(token: String) throws {
            try LiveGateway.run(isToday: true) { live in
                let sender = try ProviderSender(certificates: LiveGateway.certificates)
                let response = try sender.send(
                    Self.alert, to: token, fields: [("apns-topic", sender.topic)],
                    at: ProviderSender.Gateway(live.address, overTLS: false, isSandbox: false))
                #expect(Self.body(response) == Array(#"{"reason":"BadDeviceToken"}"#.utf8))
            }
        }

        /// A fault, and what the error says.
        @Test(
            arguments: [
                (#"{"reset":"REFUSED_STREAM"}"#, "no answer from ADDRESS: it reset the stream with REFUSED_STREAM"),
                (
                    #"{"goAway":{"code":"NO_ERROR","debug":"{\"reason\":\"Shutdown\"}","last":"before"}}"#,
                    #"no answer from ADDRESS; it sent GOAWAY with NO_ERROR and last stream 0: {"reason":"Shutdown"}"#
                ),
                (
                    #"{"wire":"goawayCert"}"#,
                    "no answer from ADDRESS; it sent GOAWAY with NO_ERROR and last stream 0: "
                        + #"{"reason":"BadCertificateEnvironment"}"#
                ),
                (
                    #"{"resetAfterHeaders":"CANCEL"}"#,
                    "ADDRESS answered 200, but reset the stream with CANCEL before the end of the answer"
                ),
                (
                    #"{"close":"end"}"#,
                    "no answer from ADDRESS, and it closed the connection or stayed silent"
                ),
            ]) func `an answer that is cut off is an error that says how`(fault: String, message: String) throws
        {
            try LiveGateway.run(isToday: true) { live in
                let body = Array(#"{"effect":\#(fault)}"#.utf8)
                #expect(try live.gateway.send("POST", "/api/v1/faults", body: body).status == 201)
                let sender = try ProviderSender(certificates: LiveGateway.certificates)
                let failure = #expect(throws: BlockingClient.Failure.self) {
                    try sender.send(
                        Self.alert, to: Self.token, fields: [("apns-topic", sender.topic)],
                        at: ProviderSender.Gateway(live.address, overTLS: false, isSandbox: false))
                }
                #expect(failure?.description == message.replacing("ADDRESS", with: live.address.description))
            }
        }

        @Test func `a message is sent with an access token of the service account`() throws {
            try LiveGateway.run(isToday: true) { live in
                let sender = try MessageSender(certificates: LiveGateway.certificates)
                #expect(sender.project == "pushpit-local")
                let message = Array(#"{"message":{"topic":"news","data":{"a":"b"}}}"#.utf8)
                for overTLS in [true, false] {
                    let answer = try sender.send(message, project: sender.project, at: live.address, overTLS: overTLS)
                    let response = answer.response
                    #expect(!answer.isFromTokenEndpoint)
                    #expect(response.status == 200)
                    let name = try JSONDocument(parsing: Self.body(response)).root["name"]?.string
                    #expect(name?.hasPrefix("projects/pushpit-local/messages/") == true)
                }
                // The token was issued here: the only finding is that the topic has no subscriber.
                #expect(Set(live.gateway.events().flatMap(\.findings)) == ["fcm.no-subscribers"])
            }
        }

        @Test func `without a gateway the error names the address`() throws {
            try LiveGateway.run { _ in }
            let sender = try ProviderSender(certificates: LiveGateway.certificates)
            let address = closedAddress()
            for overTLS in [true, false] {
                let failure = #expect(throws: BlockingClient.Failure.self) {
                    try sender.send(
                        Self.alert, to: Self.token, fields: [],
                        at: ProviderSender.Gateway(address, overTLS: overTLS, isSandbox: false))
                }
                #expect(failure?.description == "cannot connect to \(address)")
                #expect(failure?.isUnreachable == true)
            }
        }

        @Test func `a server without TLS is a failed handshake`() throws {
            try LiveGateway.run { _ in }
            let sender = try ProviderSender(certificates: LiveGateway.certificates)
            let server = ScriptedServer(answering: "")
            let failure = #expect(throws: BlockingClient.Failure.self) {
                try sender.send(
                    Self.alert, to: Self.token, fields: [],
                    at: ProviderSender.Gateway(server.address, overTLS: true, isSandbox: false))
            }
            #expect(failure?.description.hasPrefix("the TLS handshake with \(server.address) failed") == true)
        }

        @Test func `a server without HTTP/2 is an error`() throws {
            try LiveGateway.run { _ in }
            let sender = try ProviderSender(certificates: LiveGateway.certificates)
            let server = ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\n")
            #expect(throws: BlockingClient.Failure.self) {
                try sender.send(
                    Self.alert, to: Self.token, fields: [],
                    at: ProviderSender.Gateway(server.address, overTLS: false, isSandbox: false))
            }
        }

        @Test func `a gateway with other certificates is not trusted`() throws {
            try LiveGateway.run { live in
                let other = ".build/test-client-certs-other"
                _ = try Credentials.prepare(in: other, for: .init().listening(on: 1), now: 1_790_000_000)
                let sender = try ProviderSender(certificates: other)
                let failure = #expect(throws: BlockingClient.Failure.self) {
                    try sender.send(
                        Self.alert, to: Self.token, fields: [],
                        at: ProviderSender.Gateway(live.address, overTLS: true, isSandbox: false))
                }
                #expect(failure?.description.contains("does --certs name the directory of that gateway?") == true)
                #expect(live.gateway.events().isEmpty)
            }
        }

        @Test func `a directory without credentials is a problem that names it`() {
            for problem in [
                #expect(throws: Credentials.Problem.self) { try ProviderSender(certificates: "/nonexistent") },
                #expect(throws: Credentials.Problem.self) { try MessageSender(certificates: "/nonexistent") },
            ] {
                #expect(problem?.description.contains("/nonexistent") == true)
            }
        }
    }
}
