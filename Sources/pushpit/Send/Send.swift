internal import APNs
internal import Credentials
internal import EventLoop
internal import FCM
internal import Glibc
internal import HTTPCore
internal import JSON
internal import Platform
internal import PushCore
internal import PushpitClient

/// `pushpit send FILE --to TOKEN`: signs and sends a push or an FCM message as a provider would, and explains the answer.
enum Send {
    static func run(_ options: Options) throws(ExitFailure) {
        guard options.operands.count == 1 else {
            throw .usage("send needs exactly one FILE, or - for standard input", .send)
        }
        let body = try read(options.operands[0])
        let (url, address) = try Ready.gateway(options)
        let apiToken = try options.apiToken()
        let file = MessageFile(body)
        try SendOptions.check(options, for: file == nil ? .apns : .fcm, in: options.operands[0])
        let client = ControlClient(address, apiToken: apiToken, timeout: journalTimeout)
        let sent: SentPush
        do {
            if let file {
                sent = try sendMessage(file, options, at: address, overTLS: url.hasPrefix("https"))
            } else {
                sent = try sendPush(body, options, at: address, overTLS: url.hasPrefix("https"))
            }
        } catch let problem as Credentials.Problem {
            throw GatewayDirectory.failure(problem, try GatewayURL(options), apiToken: apiToken)
        } catch let failure as BlockingClient.Failure {
            if failure.isUnreachable { throw Ready.failure(failure, options) }
            throw .unavailable("\(failure)\(FaultTrace(from: client).map { "; \($0.sentence)" } ?? "")")
        } catch let failure as ExitFailure {
            throw failure
        } catch {
            throw .unavailable("\(error)")
        }
        printOutput(text(of: sent.answer))
        let list = JournalEntry.list(for: sent, from: client)
        let entry = list.flatMap { $0.status == 200 ? JournalEntry(of: sent, in: $0.body) : nil }
        if let entry, entry.isAccepted { printOutput(DeviceLines.text(of: entry, from: client)) }
        let trace = sent.answer.status >= 500 && entry == nil ? FaultTrace(from: client) : nil
        printOutput(Explanation.text(of: sent, entry, trace) { clockLead(client) })
        if let notice = list.flatMap({ JournalEntry.notice(about: $0.status, hasToken: apiToken != nil) }) {
            printError("pushpit: \(notice)")
        }
        if sent.isRefused { throw ExitFailure(code: 65, message: nil) }
    }

    /// How many milliseconds the gateway's clock is ahead of this machine's; nil if the gateway does not say.
    private static func clockLead(_ client: ControlClient) -> Int64? {
        let answer = (try? client.get("/clock"))?.body
        let now = (try? JSONDocument(parsing: answer ?? []))?.root["now"]?.string.flatMap { Timestamp(parsing: $0) }
        return now.map { $0.milliseconds - EventLoop.wallClock }
    }

    /// How many milliseconds the control API may take to explain an answer.
    private static let journalTimeout: UInt64 = 2000

    private static func sendPush(
        _ body: [UInt8], _ options: Options, at address: SocketAddress, overTLS: Bool
    ) throws -> SentPush {
        let token = try SendOptions.deviceToken(options)
        let sender = try ProviderSender(certificates: try options.text("certs") ?? "certs")
        let topic = try options.headerValue("topic") ?? simulatorTopic(body) ?? sender.topic
        let isSandbox = try options.choice("sandbox", Switch.self) == .on
        let answer = try sender.send(
            body, to: token, fields: try SendOptions.fields(options, topic: topic),
            at: ProviderSender.Gateway(address, overTLS: overTLS, isSandbox: isSandbox))
        return SentPush(provider: .apns, body: body, answer: answer)
    }

    /// Sends an FCM message to its own target, or to the target in the options.
    private static func sendMessage(
        _ file: MessageFile, _ options: Options, at address: SocketAddress, overTLS: Bool
    ) throws -> SentPush {
        let sender = try MessageSender(certificates: try options.text("certs") ?? "certs")
        for change in file.changes { printLine(change.text) }
        let project = try options.text("project") ?? sender.project
        guard project.utf8.allSatisfy(isProjectCharacter) else {
            throw ExitFailure.usage("--project '\(project)' must be a project id or number, like my-project", .send)
        }
        let body = file.body(
            token: try options.text("to"), topic: try options.text("topic"),
            isDryRun: try options.choice("dry-run", Switch.self) == .on)
        let answer = try sender.send(body, project: project, at: address, overTLS: overTLS)
        return SentPush(
            provider: .fcm, body: body, answer: answer.response, isFromTokenEndpoint: answer.isFromTokenEndpoint)
    }

    static func isProjectCharacter(_ byte: UInt8) -> Bool {
        Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || 0x30...0x39 ~= byte
            || "-.:_".utf8.contains(byte)
    }

    static func type(_ options: Options) throws(ExitFailure) -> APNsPushType? {
        guard let word = try options.text("type") else { return nil }
        guard let type = APNsPushType(rawValue: word) else {
            let all = APNsPushType.allCases.map(\.rawValue).joined(separator: ", ")
            throw options.invalid("type", word, "must be one of \(all)")
        }
        return type
    }

    /// The content of a file, or of standard input for `-`.
    static func read(_ path: String) throws(ExitFailure) -> [UInt8] {
        do throws(Files.Failure) {
            if path == "-" { return try Files.readStandardInput() }
            if let bytes = try Files.read(path) { return bytes }
        } catch {
            throw ExitFailure(code: 66, message: error.description)
        }
        throw ExitFailure(code: 66, message: "the file \(path) does not exist")
    }

    /// The app in the payload: the key that Xcode's simulator reads from a file that is dropped on it.
    static func simulatorTopic(_ body: [UInt8]) throws(ExitFailure) -> String? {
        guard let topic = (try? JSONDocument(parsing: body))?.root["Simulator Target Bundle"]?.string else {
            return nil
        }
        if let problem = HeaderText.problem(topic) {
            throw .usage("'Simulator Target Bundle' in the payload \(problem), or set --topic", .send)
        }
        return topic
    }

    /// The lines to print for an answer: status, APNs header fields and body. JSON keeps its lines, because a line
    /// feed in JSON can only stand between values. Any other body is printed on one line.
    static func text(of answer: Response) -> String {
        var lines = ["\(answer.status)"]
        for (name, value) in answer.headers where name.starts(with: "apns-".utf8) {
            lines.append("\(String(decoding: name, as: UTF8.self)): \(String(decoding: value, as: UTF8.self))")
        }
        if case .bytes(let body) = answer.body {
            let text = trimmed(body)
            lines += (try? JSONDocument(parsing: body)) == nil ? [text] : text.split(separator: "\n").map(String.init)
        }
        return lines.asLines
    }

    /// The body without newlines at its end.
    private static func trimmed(_ body: [UInt8]) -> String {
        String(decoding: body[..<(body.lastIndex { $0 != 0x0A }.map { $0 + 1 } ?? 0)], as: UTF8.self)
    }
}
