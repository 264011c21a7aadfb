package import HTTPCore

/// The path of `messages:send`.
package enum SendPath {
    private static let prefix = Array("/v1/projects/".utf8)
    /// The maximum length of a project id in bytes, since it is stored with each message. Google's limit is 30.
    static let maximumProjectLength = 255
    private static let suffixes = ["/messages:send", "/messages%3Asend", "/messages%3asend"].map { Array($0.utf8) }

    /// The project of `/v1/projects/{project}/messages:send`; nil for another path.
    package static func project(of request: Request) -> String? {
        let headers = request.headers
        guard let range = headers.range(of: .path) else { return nil }
        let target = headers.storage.span.extracting(range)
        let path = target.extracting(0..<(target.firstIndex(of: UInt8(ascii: "?")) ?? target.count))
        guard path.starts(with: prefix) else { return nil }
        for suffix in suffixes where path.count > prefix.count + suffix.count {
            let tail = path.count - suffix.count
            guard path.extracting(tail..<path.count).equals(suffix) else { continue }
            let project = path.extracting(prefix.count..<tail)
            guard project.count <= maximumProjectLength else { return nil }
            return project.firstIndex(of: UInt8(ascii: "/")) == nil ? project.text : nil
        }
        return nil
    }
}
