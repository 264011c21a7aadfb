internal import EventLoop
internal import Gateway
internal import JSON
internal import PushCore
internal import PushEngine
internal import PushpitClient

/// `pushpit expect FILTER…`: waits for pushes, for shells and CI. Exits with 0 where it is so, with 1 where it is not.
enum Expect {
    /// What a gateway may take beyond the time that was asked for.
    private static let grace: UInt64 = 5000

    static func run(_ options: Options) throws(ExitFailure) {
        let url = try options.text("url") ?? ""
        guard let address = Ready.address(url) else {
            throw options.bad("url", url, "must be http://HOST:PORT or https://HOST:PORT")
        }
        let within = try options.duration("within")
        let call = try body(options, within)
        let answer: ControlClient.Answer
        do throws(BlockingClient.Failure) {
            answer = try ControlClient.post(
                "/expect", call, to: address, apiToken: try? options.text("api-token"), patience: within + grace)
        } catch { throw .unavailable("\(error); start one with 'pushpit'") }
        guard let verdict = (try? JSONDocument(parsing: answer.body))?.root,
            answer.status == 200 || answer.status == 417
        else {
            let said = (try? JSONDocument(parsing: answer.body))?.root["error"]?["message"]?.string
            let code: Int32 = answer.status == 503 ? 69 : answer.status == 401 || answer.status == 403 ? 77 : 64
            throw ExitFailure(
                code: code,
                message: "the gateway refused the call with \(answer.status): \(said ?? "it did not say why")")
        }
        if try options.choice("json", Switch.self) == .on { show(String(decoding: answer.body, as: UTF8.self) + "\n") }
        let isQuiet = try options.choice("json", Switch.self) == .on
        let ids = verdict["messages"]?.elements.compactMap(\.string) ?? []
        let found = "\(verdict["count"]?.shown ?? "0") found" + (ids.isEmpty ? "" : ": " + ids.joined(separator: " "))
        if answer.status == 200 { return isQuiet ? () : show("met, \(found)\n") }
        throw ExitFailure(code: 1, message: isQuiet ? nil : "not met, \(found)" + nearest(verdict))
    }

    private static func body(_ options: Options, _ within: UInt64) throws(ExitFailure) -> [UInt8] {
        var (match, headers, pointers): ([(String, String)], [(String, String)], [(String, String)]) = ([], [], [])
        var seen: Set<String> = []
        for operand in options.operands {
            guard let equals = operand.firstIndex(of: "=") else {
                throw .usage(
                    "'\(operand)' is no filter: write NAME=VALUE, like app=com.example.app or /aps/alert/title=Hello",
                    .expect)
            }
            let (name, value) = (String(operand[..<equals]), String(operand[operand.index(after: equals)...]))
            guard seen.insert(name).inserted else {
                throw .usage("'\(name)' is given twice: all filters have to hold at once", .expect)
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
                    "'\(name)' is no filter: take one of \(names), a JSON pointer like /aps/alert/title, or header:NAME",
                    .expect)
            }
        }
        var json = JSONWriter()
        var demands = 0
        json.beginObject()
        json.key("match")
        json.object { json in
            for (name, value) in match { json.member(name, value) }
            json.key("headers")
            json.object { json in for (name, value) in headers { json.member(name, value) } }
            json.key("bodyText")
            json.object { json in for (pointer, text) in pointers { json.member(pointer, text) } }
        }
        for (flag, name) in [("count", "count"), ("at-least", "atLeast"), ("at-most", "atMost")]
        where !options.list(flag).isEmpty {
            json.member(name, Int(try options.number(flag, 0...1_000_000)))
            demands += 1
        }
        if try options.choice("never", Switch.self) == .on {
            json.member("never", true)
            demands += 1
        }
        json.member("within", DurationText.text(within))
        json.endObject()
        guard demands <= 1 else { throw .usage("ask for one of --count, --at-least, --at-most and --never", .expect) }
        return json.finish()
    }

    /// The pushes that came close, and what is different in each.
    private static func nearest(_ verdict: JSONView) -> String {
        var text = ""
        for miss in verdict["nearest"]?.elements.map(\.self) ?? [] {
            let differences = miss["differs"]?.elements.map { difference in
                "\(difference["at"]?.string ?? "") is \(difference["got"].flatMap { $0.isNull ? nil : $0.shown } ?? "absent"), not \(difference["expected"]?.shown ?? "")"
            }
            text += "\n  \(miss["message"]?.string ?? ""): " + (differences ?? []).joined(separator: "; ")
        }
        return text
    }
}
