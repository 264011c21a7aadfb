internal import HTTPCore

/// What a send's path and query say.
enum SendPath {
    private static let start = Array("/v1/projects/".utf8)
    private static let ends = ["/messages:send", "/messages%3Asend", "/messages%3asend"].map { Array($0.utf8) }

    /// The project of `/v1/projects/{project}/messages:send`; nil for another path.
    static func project(of request: Request) -> String? {
        let path = request.path
        guard path.starts(with: start), let end = ends.first(where: { path.suffix($0.count).elementsEqual($0) }),
            path.count > start.count + end.count
        else { return nil }
        let project = path.dropFirst(start.count).dropLast(end.count)
        return project.contains(UInt8(ascii: "/")) ? nil : String(decoding: project, as: UTF8.self)
    }

    /// Google's answers are indented unless that is not wanted.
    static func isPretty(_ request: Request) -> Bool { query(request, "prettyPrint") != "false" }

    /// The old error format is asked for.
    static func isFormat1(_ request: Request) -> Bool {
        query(request, "$.xgafv") == "1"
            || request.headers.first(HeaderName("x-goog-api-format-version"))?.elementsEqual("1".utf8) ?? false
    }

    /// The last value of that name.
    private static func query(_ request: Request, _ name: String) -> String? {
        let text = String(decoding: request.target, as: UTF8.self)
        guard let query = text.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        return query.split(separator: "&").last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
