internal import HTTPCore

/// What a send's path says.
enum SendPath {
    private static let start = Array("/v1/projects/".utf8)
    /// Real ones have 30 letters at most; a project is kept with what it sent.
    static let longest = 255
    private static let ends = ["/messages:send", "/messages%3Asend", "/messages%3asend"].map { Array($0.utf8) }

    /// The project of `/v1/projects/{project}/messages:send`; nil for another path.
    static func project(of request: Request) -> String? {
        let headers = request.headers
        guard let range = headers.range(of: .path) else { return nil }
        let target = headers.storage.span.extracting(range)
        let path = target.extracting(0..<(target.firstIndex(of: UInt8(ascii: "?")) ?? target.count))
        guard path.starts(with: start) else { return nil }
        for end in ends where path.count > start.count + end.count {
            let tail = path.count - end.count
            guard path.extracting(tail..<path.count).equals(end) else { continue }
            let project = path.extracting(start.count..<tail)
            guard project.count <= longest else { return nil }
            return project.firstIndex(of: UInt8(ascii: "/")) == nil ? project.text : nil
        }
        return nil
    }
}
