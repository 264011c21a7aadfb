internal import EventLoop
internal import Gateway
internal import JSON
internal import PushCore
internal import PushpitClient
internal import RuleTables

/// `pushpit expect FILTER…`: waits for pushes. It is made for shell scripts and CI: the exit code is 0 if the expectation
/// is met, 1 if it is not, and another one if the gateway could not be asked.
enum Expect {
    /// The gateway counts as unavailable if it has not answered this many milliseconds after `--within`.
    private static let grace: UInt64 = 5000

    static func run(_ options: Options) throws(ExitFailure) {
        let (_, address) = try Ready.gateway(options)
        let within = try options.duration("within")
        let isJSON = try options.choice("json", Switch.self) == .on
        let apiToken = try options.apiToken()
        let request = try request(options, within)
        let answer: ControlClient.Answer
        do throws(BlockingClient.Failure) {
            let client = ControlClient(address, apiToken: apiToken, timeout: within &+ grace)
            answer = try client.post("/expect", request)
        } catch {
            throw Ready.failure(error, options)
        }
        let result = result(answer.status, answer.body, isJSON: isJSON, hasToken: apiToken != nil)
        printOutput(result.output)
        if let failure = result.failure { throw failure }
    }

    /// What to print, and how to exit, after the gateway's answer to `POST /expect`.
    static func result(
        _ status: Int, _ body: [UInt8], isJSON: Bool, hasToken: Bool = false
    ) -> (output: String, failure: ExitFailure?) {
        let root = (try? JSONDocument(parsing: body))?.root
        guard let root, status == 200 || status == 417 else {
            return ("", refusal(status, body, hasToken: hasToken))
        }
        let isMet = status == 200
        if isJSON {
            return (String(decoding: body, as: UTF8.self) + "\n", isMet ? nil : ExitFailure(code: 1, message: nil))
        }
        let ids = root["messages"]?.elements.compactMap(\.string) ?? []
        let unlisted = root["unlisted"].map { " and \($0.shown) more" } ?? ""
        let list = ids.isEmpty ? "" : ": " + ids.joined(separator: " ") + unlisted
        let found = "\(root["count"]?.shown ?? "0") found\(list)"
        if isMet { return (["met, \(found)"].asLines, nil) }
        let details = [root["why"]?.string].compactMap(\.self) + nearMisses(root)
        return ("", ExitFailure(code: 1, message: "not met, \(found)", details: details))
    }

    /// How to exit after a refusal by the control API.
    ///
    /// - Parameter hasToken: whether the request had an API token.
    static func refusal(_ status: Int, _ body: [UInt8], hasToken: Bool = false) -> ExitFailure {
        let root = (try? JSONDocument(parsing: body))?.root
        let code: Int32 = status == 503 ? 69 : status == 401 || status == 403 ? 77 : 64
        if status == 401, root?["error"]?["code"]?.string == "noToken" {
            return ExitFailure(
                code: code,
                message: (hasToken ? "that is not the gateway's API token" : "the gateway requires its API token")
                    + ": give --api-token or --api-token-file, or set "
                    + "PUSHPIT_API_TOKEN or PUSHPIT_API_TOKEN_FILE, to the token that the gateway was started with")
        }
        guard let reason = root?["error"]?["message"]?.string else {
            return ExitFailure(
                code: code == 77 ? code : 69,
                message: "the answer \(status) is not that of a gateway: does another program listen there?")
        }
        return ExitFailure(code: code, message: "the gateway refused the request with \(status): \(reason)")
    }

    /// The body for `POST /expect`.
    static func request(_ options: Options, _ within: UInt64) throws(ExitFailure) -> [UInt8] {
        let filters = try ExpectFilters(options.operands)
        var json = JSONWriter()
        var conditions = 0
        json.beginObject()
        filters.write(to: &json)
        for (option, name) in [("count", "count"), ("at-least", "atLeast"), ("at-most", "atMost")]
        where !options.list(option).isEmpty {
            json.member(name, Int(try options.number(option, 0...1_000_000)))
            conditions += 1
        }
        if try options.choice("never", Switch.self) == .on {
            json.member("never", true)
            conditions += 1
        }
        json.member("within", DurationText.text(within))
        json.endObject()
        guard conditions <= 1 else {
            throw .usage("use only one of --count, --at-least, --at-most and --never", .expect)
        }
        guard conditions == 0 || !filters.isSequence else {
            throw .usage(
                "a sequence with 'then' cannot be counted: leave out --count, --at-least, --at-most and --never",
                .expect)
        }
        return json.finish()
    }

    /// The pushes or events that matched almost all filters, and how each differs.
    private static func nearMisses(_ verdict: JSONView) -> [String] {
        verdict["nearest"]?.elements.map { miss in
            let differences = miss["differs"]?.elements.map { difference in
                let text = difference["note"]?.string
                // The numbers of events say less than the note.
                if let text, difference["at"]?.string == "since" { return text }
                let note = text.map { " (\($0))" } ?? ""
                return
                    "\(difference["at"]?.string ?? "") is \(difference["got"].flatMap { $0.isNull ? nil : $0.shown } ?? "absent"), not \(difference["expected"]?.shown ?? "")\(note)"
            }
            let hasFailed = miss["kind"]?.string.map(failures.contains) ?? false
            let remedy = hasFailed ? miss["why"]?.string.flatMap { RuleBook.rule($0)?.remedy } : nil
            let fix = remedy.flatMap { $0 == "No action is needed." ? nil : " (fix: \($0))" } ?? ""
            return "\(name(of: miss)): " + (differences ?? []).joined(separator: "; ") + fix
        } ?? []
    }

    /// The kinds of events that say why something is not shown. The remedies of other events' rules do not
    /// help to make a push appear.
    private static let failures = ["attachment", "collapsed", "dropped", "refused", "suppressed"]

    /// The push; for an event also its number, with its kind, its device and the rule that explains it in parentheses.
    private static func name(of miss: JSONView) -> String {
        let push = miss["message"]?.string
        guard let event = miss["event"]?.shown else { return push ?? "" }
        let facts = ["kind", "device", "why"].compactMap { miss[$0]?.string }.joined(separator: ", ")
        return [push, "event \(event) (\(facts))"].compactMap(\.self).joined(separator: ", ")
    }
}
