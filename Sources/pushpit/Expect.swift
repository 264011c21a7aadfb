internal import EventLoop
internal import Gateway
internal import JSON
internal import PushCore
internal import PushEngine
internal import PushpitClient

/// `pushpit expect FILTER…`: waits for pushes, for shell scripts and CI. Exits with 0 if the expectation is met, with 1 if
/// it is not, and with another code if the gateway could not be asked.
enum Expect {
    /// The gateway counts as unavailable if it has not answered this many milliseconds after `--within`.
    private static let grace: UInt64 = 5000

    static func run(_ options: Options) throws(ExitFailure) {
        let (_, address) = try Ready.gateway(options)
        let within = try options.duration("within")
        let isJSON = try options.choice("json", Switch.self) == .on
        let apiToken = try options.headerValue("api-token")
        let request = try request(options, within)
        let answer: ControlClient.Answer
        do throws(BlockingClient.Failure) {
            let client = ControlClient(address, apiToken: apiToken, timeout: within + grace)
            answer = try client.post("/expect", request)
        } catch {
            throw .unavailable(error.description + (error.isUnreachable ? "; start a gateway with 'pushpit'" : ""))
        }
        let result = result(answer.status, answer.body, isJSON: isJSON)
        printOutput(result.output)
        if let failure = result.failure { throw failure }
    }

    /// What to print, and how to exit, after the gateway's answer to `POST /expect`.
    static func result(_ status: Int, _ body: [UInt8], isJSON: Bool) -> (output: String, failure: ExitFailure?) {
        let root = (try? JSONDocument(parsing: body))?.root
        guard let root, status == 200 || status == 417 else {
            return ("", refusal(status, body))
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
    static func refusal(_ status: Int, _ body: [UInt8]) -> ExitFailure {
        let root = (try? JSONDocument(parsing: body))?.root
        let code: Int32 = status == 503 ? 69 : status == 401 || status == 403 ? 77 : 64
        let reason = root?["error"]?["message"]?.string ?? "no reason given"
        return ExitFailure(code: code, message: "the gateway refused the request with \(status): \(reason)")
    }

    /// The body for `POST /expect`.
    static func request(_ options: Options, _ within: UInt64) throws(ExitFailure) -> [UInt8] {
        var (match, headers, pointers): ([(String, String)], [(String, String)], [(String, String)]) = ([], [], [])
        var seen: Set<String> = []
        for operand in options.operands {
            guard let equals = operand.firstIndex(of: "=") else {
                throw .usage(
                    "'\(operand)' is not a filter: write NAME=VALUE, like app=com.example.app or /aps/alert/title=Hello",
                    .expect)
            }
            let (name, value) = (String(operand[..<equals]), String(operand[operand.index(after: equals)...]))
            guard seen.insert(name).inserted else {
                throw .usage("'\(name)' is given twice, but a push has to match all filters", .expect)
            }
            if name.hasPrefix("/") {
                pointers.append((name, value))
            } else if name.hasPrefix("header:") {
                headers.append((String(name.dropFirst("header:".count)), value))
            } else if MessageFilter.names.contains(name) {
                match.append((name, value))
            } else {
                let names = MessageFilter.names.joined(separator: ", ")
                throw .usage(
                    "'\(name)' is not a filter: use one of \(names), a JSON pointer like /aps/alert/title, or header:NAME",
                    .expect)
            }
        }
        var json = JSONWriter()
        var conditions = 0
        json.beginObject()
        json.key("match")
        json.object { json in
            for (name, value) in match { json.member(name, value) }
            json.key("headers")
            json.object { json in for (name, value) in headers { json.member(name, value) } }
            json.key("bodyText")
            json.object { json in for (pointer, text) in pointers { json.member(pointer, text) } }
        }
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
        return json.finish()
    }

    /// The pushes that matched almost all filters, and how each differs.
    private static func nearMisses(_ verdict: JSONView) -> [String] {
        verdict["nearest"]?.elements.map { miss in
            let differences = miss["differs"]?.elements.map { difference in
                "\(difference["at"]?.string ?? "") is \(difference["got"].flatMap { $0.isNull ? nil : $0.shown } ?? "absent"), not \(difference["expected"]?.shown ?? "")"
            }
            return "\(miss["message"]?.string ?? ""): " + (differences ?? []).joined(separator: "; ")
        } ?? []
    }
}
