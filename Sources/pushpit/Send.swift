internal import APNs
internal import Credentials
internal import EventLoop
internal import FCM
internal import Gateway
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
        let answer: Response
        do {
            if let file = MessageFile(body) {
                answer = try sendMessage(file, options, at: address, overTLS: url.hasPrefix("https"))
            } else {
                answer = try sendPush(body, options, at: address, overTLS: url.hasPrefix("https"))
            }
        } catch let problem as Credentials.Problem {
            throw .badConfiguration(problem.description)
        } catch let failure as BlockingClient.Failure {
            throw .unavailable(failure.description)
        } catch let failure as ExitFailure {
            throw failure
        } catch {
            throw .unavailable("\(error)")
        }
        printOutput(text(of: answer))
        if answer.status == 400, let file = MessageFile(body) { printOutput(remedies(for: file)) }
        if answer.status != 200 { throw ExitFailure(code: 65, message: nil) }
    }

    private static func sendPush(
        _ body: [UInt8], _ options: Options, at address: SocketAddress, overTLS: Bool
    ) throws -> Response {
        guard let token = try options.text("to") else {
            throw ExitFailure.usage("send needs --to TOKEN for an APNs payload", .send)
        }
        let sender = try ProviderSender(certificates: try options.text("certs") ?? "certs")
        let topic = try options.text("topic") ?? simulatorTopic(body) ?? sender.topic
        let isSandbox = try options.choice("sandbox", Switch.self) == .on
        return try sender.send(
            body, to: token, fields: try fields(options, topic: topic),
            at: ProviderSender.Gateway(address, overTLS: overTLS, isSandbox: isSandbox))
    }

    /// Sends an FCM message to its own target, or to the target in the options.
    private static func sendMessage(
        _ file: MessageFile, _ options: Options, at address: SocketAddress, overTLS: Bool
    ) throws -> Response {
        let sender = try MessageSender(certificates: try options.text("certs") ?? "certs")
        for change in file.changes { printOutput("\(change.text)\n") }
        let project = try options.text("project") ?? sender.project
        guard project.utf8.allSatisfy(isProjectCharacter) else {
            throw ExitFailure.usage("--project '\(project)' must be a project id or number, like my-project", .send)
        }
        let body = file.body(
            token: try options.text("to"), topic: try options.text("topic"),
            isDryRun: try options.choice("dry-run", Switch.self) == .on)
        return try sender.send(body, project: project, at: address, overTLS: overTLS)
    }

    static func isProjectCharacter(_ byte: UInt8) -> Bool {
        Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || 0x30...0x39 ~= byte
            || "-.:_".utf8.contains(byte)
    }

    /// What to do about each fault that can be found in the message itself.
    static func remedies(for file: MessageFile) -> String {
        let refusals = MessageReport(file.body, isStrict: true).entries.filter(\.isRefusal)
        return refusals.map { entry in
            let rule = entry.finding.rule.description
            return "\(rule): \(RuleBook.rule(rule)?.remedy ?? "")\n"
        }.joined()
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
            if let bytes = try Files.read(path == "-" ? "/dev/stdin" : path) { return bytes }
        } catch {
            throw ExitFailure(code: 66, message: error.description)
        }
        throw ExitFailure(code: 66, message: "the file \(path) does not exist")
    }

    /// The header fields from the options. They are not checked, so that the gateway can refuse invalid ones.
    static func fields(_ options: Options, topic: String) throws(ExitFailure) -> [(String, String)] {
        var fields = [("apns-topic", topic)]
        for (option, field) in [
            ("type", "apns-push-type"), ("priority", "apns-priority"), ("collapse-id", "apns-collapse-id"),
            ("expiration", "apns-expiration"),
        ] {
            if let value = try options.text(option) { fields.append((field, value)) }
        }
        // Apple drops background pushes of priority 10, which is the default.
        if try options.text("type") == "background", try options.text("priority") == nil {
            fields.append(("apns-priority", "5"))
        }
        return fields
    }

    /// The app in the payload: the key that Xcode's simulator reads from a file that is dropped on it.
    static func simulatorTopic(_ body: [UInt8]) -> String? {
        (try? JSONDocument(parsing: body))?.root["Simulator Target Bundle"]?.string
    }

    /// The lines to print for an answer: status, APNs header fields, body, and what a refusal means.
    static func text(of answer: Response) -> String {
        var lines = ["\(answer.status)"]
        for (name, value) in answer.headers where name.starts(with: "apns-".utf8) {
            lines.append("\(String(decoding: name, as: UTF8.self)): \(String(decoding: value, as: UTF8.self))")
        }
        guard case .bytes(let body) = answer.body else { return lines.joined(separator: "\n") + "\n" }
        lines.append(trimmed(body))
        if let meaning = meaning(of: body) { lines.append(meaning) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The body without newlines at its end.
    private static func trimmed(_ body: [UInt8]) -> String {
        String(decoding: body[..<(body.lastIndex { $0 != 0x0A }.map { $0 + 1 } ?? 0)], as: UTF8.self)
    }

    /// What a refusal means (APNs), or also what to do about it (FCM); nil if the reason is unknown.
    private static func meaning(of body: [UInt8]) -> String? {
        guard let root = (try? JSONDocument(parsing: body))?.root else { return nil }
        if let reason = root["reason"]?.string { return APNsReason.allCases.first { $0.word == reason }?.meaning }
        let codes = root["error"]?["details"]?.elements.compactMap { $0["errorCode"]?.string ?? $0["reason"]?.string }
        if codes?.contains("IAM_PERMISSION_DENIED") == true { return RuleBook.rule("fcm.no-permission")?.remedy }
        let code = codes?.first { $0 != "INVALID_ARGUMENT" }
        return code.flatMap { RuleBook.rule("fcm.\($0)") }.map { rule in
            "\(rule.meaning) \(rule.remedy)"
        }
    }
}
