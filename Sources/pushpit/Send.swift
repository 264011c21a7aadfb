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

/// `pushpit send FILE --to TOKEN`: one push or FCM message, signed and sent as a provider does, and what the answer means.
enum Send {
    static func run(_ options: Options) throws(ExitFailure) {
        guard options.operands.count == 1 else { throw .usage("send needs one FILE, or - for standard input", .send) }
        let body = try read(options.operands[0])
        let url = try options.text("url") ?? ""
        guard let address = Ready.address(url) else {
            throw options.bad("url", url, "must be http://HOST:PORT or https://HOST:PORT with an address or localhost")
        }
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
        show(described(answer))
        if answer.status == 400, let file = MessageFile(body) { show(explained(file)) }
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
        return try sender.send(
            body, to: token, fields: try fields(options, topic: topic),
            isSandbox: try options.choice("sandbox", Switch.self) == .on, at: address, overTLS: overTLS)
    }

    /// An FCM message, to its own target or to that of the options.
    private static func sendMessage(
        _ file: MessageFile, _ options: Options, at address: SocketAddress, overTLS: Bool
    ) throws -> Response {
        let sender = try MessageSender(certificates: try options.text("certs") ?? "certs")
        for change in file.changes { show("\(change.text)\n") }
        let project = try options.text("project") ?? sender.project
        guard project.utf8.allSatisfy(isProjectLetter) else {
            throw ExitFailure.usage("--project '\(project)' must be a project's id or number, like my-project", .send)
        }
        let body = file.body(
            token: try options.text("to"), topic: try options.text("topic"),
            isDryRun: try options.choice("dry-run", Switch.self) == .on)
        return try sender.send(body, project: project, at: address, overTLS: overTLS)
    }

    private static func isProjectLetter(_ octet: UInt8) -> Bool {
        Unicode.Scalar(octet).properties.isAlphabetic && octet < 0x80 || 0x30...0x39 ~= octet
            || "-.:_".utf8.contains(octet)
    }

    /// What to do about each fault, as far as it can be told from the message.
    private static func explained(_ file: MessageFile) -> String {
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
            throw options.bad("type", word, "must be one of \(all)")
        }
        return type
    }

    /// A file, or standard input for `-`.
    static func read(_ path: String) throws(ExitFailure) -> [UInt8] {
        do throws(Files.Failure) {
            if let bytes = try Files.read(path == "-" ? "/dev/stdin" : path) { return bytes }
        } catch {
            throw ExitFailure(code: 66, message: error.description)
        }
        throw ExitFailure(code: 66, message: "there is no file \(path)")
    }

    /// Those that were given; what is wrong with them is for the gateway to say.
    private static func fields(_ options: Options, topic: String) throws(ExitFailure) -> [(String, String)] {
        var fields = [("apns-topic", topic)]
        for (option, field) in [
            ("type", "apns-push-type"), ("priority", "apns-priority"), ("collapse-id", "apns-collapse-id"),
            ("expiration", "apns-expiration"),
        ] {
            if let value = try options.text(option) { fields.append((field, value)) }
        }
        return fields
    }

    /// What Xcode's simulator takes a dropped file's app from.
    private static func simulatorTopic(_ body: [UInt8]) -> String? {
        (try? JSONDocument(parsing: body))?.root["Simulator Target Bundle"]?.string
    }

    private static func described(_ answer: Response) -> String {
        var lines = ["\(answer.status)"]
        for (name, value) in answer.headers where name.starts(with: "apns-".utf8) {
            lines.append("\(String(decoding: name, as: UTF8.self)): \(String(decoding: value, as: UTF8.self))")
        }
        guard case .bytes(let body) = answer.body else { return lines.joined(separator: "\n") + "\n" }
        lines.append(trimmed(body))
        if let meaning = meaning(of: body) { lines.append(meaning) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Without the line ends behind it.
    private static func trimmed(_ body: [UInt8]) -> String {
        String(decoding: body[..<(body.lastIndex { $0 != 0x0A }.map { $0 + 1 } ?? 0)], as: UTF8.self)
    }

    /// What a refusal means and what to do, where its word is known.
    private static func meaning(of body: [UInt8]) -> String? {
        guard let root = (try? JSONDocument(parsing: body))?.root else { return nil }
        if let word = root["reason"]?.string { return APNsReason.allCases.first { $0.word == word }?.meaning }
        let words = root["error"]?["details"]?.elements.compactMap { $0["errorCode"]?.string ?? $0["reason"]?.string }
        if words?.contains("IAM_PERMISSION_DENIED") == true {
            return RuleBook.rule("fcm.no-permission")?.remedy
        }
        let word = words?.first { $0 != "INVALID_ARGUMENT" }
        return word.flatMap { word in RuleBook.rule("fcm.\(word)") }.map {
            "\($0.meaning) \($0.remedy)"
        }
    }
}
