internal import HTTPCore
internal import FCM
internal import Gateway
internal import Proxy
internal import PushCore

/// Values of the options of `serve` that need a closer look.
extension Serve {
    /// The end of the error for an unknown name: a name that is nearly the same, or the ids of the recorded answers for
    /// `--fcm-choice`. Empty if there is neither.
    static func hint<Choice: PolicyChoice>(_ type: Choice.Type, near text: String) -> String {
        let names = type.allCases.map(\.rawValue) + (type == FCMChoice.self ? RecordedAnswer.names : [])
        if let guess = NameGuesser(names).guess(String(text.prefix { $0 != "=" })) {
            return "; did you mean '\(guess)'?"
        }
        return type == FCMChoice.self ? "; the ids are \(RecordedAnswer.names.joined(separator: ", "))" : ""
    }

    /// A URL without its user and password, for messages.
    static func withoutUser(_ url: String) -> String {
        guard let at = url.lastIndex(of: "@") else { return url }
        let colon = url.firstIndex(of: ":").flatMap { url[$0...].hasPrefix("://") ? $0 : nil }
        return "\(colon.map { "\(url[..<$0])://" } ?? "")…\(url[at...])"
    }

    /// The proxy that the variables name for HTTPS; nil if they name none.
    static func upstreamProxy(_ variables: Variables) throws(ExitFailure) -> UpstreamProxy? {
        for name in RouteVariables.httpsProxyNames {
            guard let url = variables.text(name) else { continue }
            do throws(UpstreamProxy.Problem) {
                return try UpstreamProxy(
                    url, except: ProxyExclusions.names.lazy.compactMap { variables.text($0) }.first)
            } catch {
                throw ExitFailure(
                    code: 64,
                    message:
                        "\(name) '\(withoutUser(url).onOneLine)' \(error.reason); change it, or use --proxy-pass=off")
            }
        }
        return nil
    }

    /// Whether the gateway can pass on connections to other hosts as the proxy in these variables does.
    static func canReplaceProxy(of variables: Variables) -> Bool {
        do throws(ExitFailure) { _ = try upstreamProxy(variables) } catch { return false }
        return true
    }

    static func allowedOrigins(_ options: Options) throws(ExitFailure) -> [WebOrigin] {
        var origins: [WebOrigin] = []
        for text in options.list("allow-origin") {
            guard let origin = WebOrigin(parsing: text) else {
                throw options.invalid(
                    "allow-origin", text,
                    "must be a scheme, a host and, if the page has one, a port, without a path: http://localhost:3000")
            }
            origins.append(origin)
        }
        return origins
    }
}
