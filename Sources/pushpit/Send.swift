internal import APNs
internal import EventLoop
internal import Gateway
internal import Glibc
internal import HTTPCore
internal import JSON

/// `pushpit send FILE --to TOKEN`: one push, signed and sent as a provider does, and what the answer means.
enum Send {
    static func run(_ options: Options) throws(ExitFailure) {
        guard options.operands.count == 1 else { throw .usage("send needs one FILE, or - for standard input", .send) }
        guard let token = try options.text("to") else { throw .usage("send needs --to TOKEN", .send) }
        let body = try read(options.operands[0])
        let url = try options.text("url") ?? ""
        guard let address = Ready.address(url) else {
            throw options.bad("url", url, "must be http://HOST:PORT or https://HOST:PORT with an address or localhost")
        }
        let answer: Response
        do {
            let sender = try ProviderSender(certificates: try options.text("certs") ?? "certs")
            let topic = try options.text("topic") ?? simulatorTopic(body) ?? sender.topic
            answer = try sender.send(
                body, to: token, fields: try fields(options, topic: topic),
                isSandbox: try options.choice("sandbox", Switch.self) == .on, at: address,
                overTLS: url.hasPrefix("https"))
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
        if answer.status != 200 { throw ExitFailure(code: 65, message: nil) }
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
        lines.append(String(decoding: body, as: UTF8.self))
        if let word = (try? JSONDocument(parsing: body))?.root["reason"]?.string,
            let reason = APNsReason.allCases.first(where: { $0.rawValue == word })
        {
            lines.append("\(reason.meaning)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
