internal import Credentials
internal import EventLoop
internal import Gateway
internal import JSON
internal import Platform
internal import PushCore
internal import PushpitClient

/// The gateway of `exec`: one that it starts, or one that runs already.
struct ExecGateway {
    let credentials: Credentials
    let address: SocketAddress
    /// The URL of the gateway's own pages.
    let url: String
    let apiToken: String?
    /// The statistics before the command started; nil for a gateway that `exec` starts.
    private let before: GatewayStats?
    /// Where to see details, as the subject of a sentence ("--log-level info"); nil if they were printed already.
    private let detailSource: String?
    private let thread: GatewayThread?

    /// How much longer than an expectation the gateway may take to answer, in milliseconds.
    private static let grace: UInt64 = 5000

    /// Starts a gateway.
    init(_ configuration: Configuration, setUpBy seed: SeedFile?) throws(ExitFailure) {
        let thread = try GatewayThread(configuration, setUpBy: seed)
        self.thread = thread
        credentials = thread.credentials
        address = thread.address
        url = "http://\(address)"
        apiToken = configuration.apiToken
        before = nil
        detailSource = configuration.logLevel > .info ? "--log-level info" : nil
    }

    /// Uses a gateway that runs, and checks that the credentials are its own.
    init(_ running: RunningGateway, apiToken: String?) throws(ExitFailure) {
        credentials = try RunningGateway.credentials(in: running.certificates, of: running.url, apiToken: apiToken)
        (address, url, thread) = (running.address, running.url.text, nil)
        self.apiToken = apiToken
        do throws(BlockingClient.Failure) {
            try BlockingClient.check(address, trusting: credentials.authority)
        } catch {
            throw .unavailable(error.description + (error.isUnreachable ? running.remedy : ""))
        }
        before = GatewayStats(try Self.get("/stats", address, apiToken))
        detailSource = "The gateway's log"
    }

    /// Throws if a gateway that `exec` has not started no longer answers, or has started again without its pushes.
    func checkPresence() throws(ExitFailure) {
        guard let before else { return }
        let now: GatewayStats
        do throws(ExitFailure) { now = GatewayStats(try Self.get("/stats", address, apiToken)) } catch {
            throw .unavailable("the gateway at \(url) has ended, or is cut off: \(error.message ?? "")")
        }
        guard now.continues(before) else {
            throw .unavailable(
                "the gateway at \(url) was started again while the command ran, so it does not have all pushes")
        }
    }

    /// Throws if the log has forgotten events since the start that could have broken an expectation that seems to be met.
    func checkMemory(for results: [ExpectationResult]) throws(ExitFailure) {
        let isDoubtful = results.contains { result in
            result.failure == nil && ["never", "count", "atMost"].contains { result.expectation[$0]?.isNull == false }
        }
        guard isDoubtful, GatewayStats(try Self.get("/stats", address, apiToken)).hasForgotten(since: before) else {
            return
        }
        throw .unavailable(
            "the gateway at \(url) no longer has all pushes of the command, because its log is full (--keep-messages, --keep-mib, --keep-for), "
                + "so an expectation with never, count or atMost could be met by mistake")
    }

    /// All messages since the start, the oldest first.
    func messages() throws(ExitFailure) -> [JSONView] {
        try MessageList.all(since: before?.newestEvent) { path throws(ExitFailure) in
            try Self.get(path, address, apiToken)
        }
    }

    /// One message; nil if it was deleted.
    func message(_ id: String) throws(ExitFailure) -> JSONView? {
        guard let body = try? Self.get("/messages/\(id)", address, apiToken) else { return nil }
        return (try? JSONDocument(parsing: body))?.root
    }

    /// What each device did with a push, in words; empty if it was deleted.
    func reports(_ id: String) throws(ExitFailure) -> [JSONView] {
        guard let body = try? Self.get("/messages/\(id)/events?limit=1000", address, apiToken) else { return [] }
        return (try? JSONDocument(parsing: body))?.root["devices"]?.elements.map(\.self) ?? []
    }

    /// What was caught since the start.
    func summary() throws(ExitFailure) -> ExecSummary {
        let caught = GatewayStats(try Self.get("/stats", address, apiToken)).pushes(since: before)
        let list =
            caught.refused == 0
            ? nil
            : try? JSONDocument(
                parsing: try Self.get(
                    "/messages?outcome=refused&limit=1&since=\(before?.newestEvent ?? 0)", address, apiToken))
        var summary = ExecSummary(accepted: caught.accepted, refused: caught.refused, detailSource: detailSource)
        summary.deleted = caught.deleted
        summary.newestRefusal = list?.root["messages"]?[0]
        for remark in ExecSummary.Remark.allCases { summary.remarks.append((remark, try count(remark.filter))) }
        return summary
    }

    /// The app that an expectation with `never` names, if no push had it. Then the expectation was trivially met,
    /// perhaps because the name is misspelled. If the app is the only condition, that is intended, so nil.
    func unusedApp(of result: ExpectationResult) throws(ExitFailure) -> String? {
        let match = result.expectation["match"]
        guard result.failure == nil, result.expectation["never"]?.bool == true, let match, match.count > 1,
            let app = match["app"]?.string
        else { return nil }
        var filter = JSONWriter()
        filter.string(app)
        return try count(#""app":\#(String(decoding: filter.finish(), as: UTF8.self))"#) == 0 ? app : nil
    }

    /// How many pushes or events since the start match, if the gateway still has them.
    ///
    /// - Parameter match: the members of a filter.
    private func count(_ match: String) throws(ExitFailure) -> Int64 {
        let body = #"{"match":{\#(match),"since":\#(before?.newestEvent ?? 0)},"never":true,"within":"0s"}"#
        let answer: ControlClient.Answer
        do throws(BlockingClient.Failure) {
            answer = try ControlClient(address, apiToken: apiToken, timeout: Self.grace)
                .post("/expect", Array(body.utf8))
        } catch { throw .unavailable(error.description) }
        return (try? JSONDocument(parsing: answer.body))?.root["count"]?.exactInteger ?? 0
    }

    private static func get(
        _ path: String, _ address: SocketAddress, _ apiToken: String?
    ) throws(ExitFailure) -> [UInt8] {
        let answer: ControlClient.Answer
        do throws(BlockingClient.Failure) {
            answer = try ControlClient(address, apiToken: apiToken, timeout: grace).get(path)
        } catch { throw .unavailable(error.description) }
        guard answer.status == 200 else { throw Expect.refusal(answer.status, answer.body, hasToken: apiToken != nil) }
        return answer.body
    }

    /// - Parameter left: how many milliseconds the gateway may wait.
    func ask(_ item: ExpectationFile.Item, _ left: UInt64) throws(ExitFailure) -> (status: Int, body: [UInt8]) {
        do throws(BlockingClient.Failure) {
            let client = ControlClient(address, apiToken: apiToken, timeout: left &+ Self.grace)
            let answer = try client.post("/expect", item.body(since: before?.newestEvent, waiting: left))
            return (answer.status, answer.body)
        } catch { throw .unavailable(error.description) }
    }

    func stop() { thread?.stop() }
}
