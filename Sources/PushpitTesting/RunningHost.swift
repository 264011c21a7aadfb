internal import Credentials
internal import EventLoop
internal import Platform
internal import PushCore

/// A gateway in another process, which the test did not start.
final class RunningHost: GatewayHost {
    let url: String?
    let credentials: TestCredentials?
    private let address: SocketAddress
    private let authority: [UInt8]
    private let apiToken: String?

    /// - Parameter certificates: the directory of the gateway's keys and certificates.
    init(at url: String, certificates: String, apiToken: String?) throws {
        self.url = url
        self.apiToken = apiToken
        let rest = url.split(separator: "://", maxSplits: 1).last.map(String.init) ?? url
        let hostAndPort = rest.hasSuffix("/") ? String(rest.dropLast()) : rest
        do {
            address = try SocketAddress(lookingUp: hostAndPort)
        } catch { throw TestFailure(.notStarted, "'\(url)' \(error.reason): write it like http://localhost:2197") }
        do {
            let made = try Credentials.existing(in: certificates)
            credentials = TestCredentials(made)
            self.authority = made.authority
        } catch { throw TestFailure(.notStarted, error.description) }
    }

    func connect(to role: TestRole, _ options: PipeOptions) throws -> any ClientPipe {
        guard role == .any else {
            throw TestFailure(.unsupportedHere, "a test knows one listener of a running gateway, the one in its URL")
        }
        return try SocketPipe(to: address, trusting: authority, options)
    }

    func clock() throws -> Timestamp? {
        let now = try ask("GET", "/clock")["now"].string ?? ""
        return Timestamp(parsing: now)
    }

    func advanceClock(milliseconds: Int64) throws {
        _ = try ask("POST", "/clock", ["advance": TestJSON("\(milliseconds)ms")])
    }

    /// Does nothing: loop time passes by itself.
    func advanceLoopTime(milliseconds: UInt64) {}

    func events() throws -> [TestEvent] {
        let fields: TestFields = ["accept": "application/x-ndjson"]
        let lines = try answer("GET", "/events?since=0&follow=false", fields).body
        return try lines.split(separator: UInt8(ascii: "\n")).map { TestEvent(try TestJSON(parsing: Array($0))) }
    }

    /// Does nothing: others may use the gateway.
    func shutDown() {}

    private func ask(_ method: String, _ path: String, _ body: TestJSON? = nil) throws -> TestJSON {
        try answer(method, path, ["content-type": "application/json"], body?.bytes ?? []).json
    }

    private func answer(
        _ method: String, _ path: String, _ fields: TestFields, _ body: [UInt8] = []
    ) throws -> TestResponse {
        let connection = TestConnection(
            self, try connect(to: .any, PipeOptions()), .http2, hostName: PipeOptions().serverName)
        defer { connection.close() }
        var fields = fields
        if let apiToken { fields.append("authorization", "Bearer \(apiToken)") }
        let answer = try connection.send(method, "/api/v1" + path, headers: fields, body: body)
        guard answer.status == 200 else {
            throw TestFailure(.notMet, "\(method) \(path) was answered with \(answer.status): \(answer.text)")
        }
        return answer
    }
}
