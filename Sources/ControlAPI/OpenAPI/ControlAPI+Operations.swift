internal import HTTPCore

/// What generators of clients need: an id for each operation, and tags that group them.
extension ControlAPI.Route {
    /// The first segment of the path.
    var tag: String { path.split(separator: "/").first.map(String.init) ?? "" }

    /// When the answer is 503; nil if it never is.
    var unavailability: String? {
        if method == .get || path.hasPrefix("/check/") || path == "/inspect" { return nil }
        return path == "/expect"
            ? "The gateway shut down before the expectation was decided (goingDown)."
            : "With --data: the change was made, but the disk cannot save it now (notSaved)."
    }

    /// The method and the segments of the path, like `getDeviceShade`: a segment before a parameter is singular.
    var operationID: String {
        let segments = path.split(separator: "/")
        var id = method.rawValue.lowercased()
        for (index, segment) in segments.enumerated() where !segment.hasPrefix("{") {
            let isOne = index + 1 < segments.count && segments[index + 1].hasPrefix("{")
            for word in (isOne && segment.hasSuffix("s") ? segment.dropLast() : segment).split(separator: "-") {
                id += word.prefix(1).uppercased() + word.dropFirst()
            }
        }
        return id
    }
}

extension ControlAPI {
    /// The tags of all routes, in the order of the table.
    static var tags: [String] {
        var seen: Set<String> = []
        return routes.map(\.tag).filter { seen.insert($0).inserted }
    }
}
