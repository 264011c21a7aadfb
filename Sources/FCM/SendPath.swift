internal import HTTPCore

/// What a send's path says.
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
}
