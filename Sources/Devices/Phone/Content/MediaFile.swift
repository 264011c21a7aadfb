internal import PushCore

/// A fetched file as an attachment of a notification (docs/evidence/device.md §2.3(3) and §2.4, documented).
struct MediaFile {
    enum Fault { case type, size, content }

    /// The last component of the URL's path, or the host if there is no path.
    let name: Substring
    /// Whether the URL has a path with a last component.
    let hasName: Bool

    init(_ url: String) {
        let rest = url.prefix { $0 != "?" && $0 != "#" }
        let path = rest.split(separator: "/", maxSplits: .max, omittingEmptySubsequences: true)
        let isAbsolute = rest.contains("://")
        hasName = path.count > (isAbsolute ? 2 : 0)
        name = path.last ?? ""
    }

    /// - Parameter guessesType: take the type from Content-Type if the name has no extension, as Firebase's helper
    ///   does.
    func fault(of media: Media, guessesType: Bool) -> Fault? {
        let type = media.contentType.lowercased().split(separator: ";").first.map(String.init) ?? ""
        var known =
            hasName ? name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? "" : ""
        if known.isEmpty, guessesType, type.hasPrefix("image/") { known = String(type.dropFirst("image/".count)) }
        guard let kind = Self.kinds.first(where: { $0.names.contains(known) }) else { return .type }
        if media.size > kind.limit { return .size }
        // The system checks the content of the file: an HTML page named like an image is not accepted.
        let family = type.split(separator: "/").first.map(String.init) ?? ""
        return ["", "application", kind.family].contains(family) ? nil : .content
    }

    private static let kinds: [(family: String, limit: Int, names: Set<String>)] = [
        ("image", 10_000_000, ["jpg", "jpeg", "gif", "png"]),
        ("audio", 5_000_000, ["aif", "aiff", "wav", "mp3", "m4a"]),
        ("video", 50_000_000, ["mpg", "mpeg", "mp2", "mp4", "m4v", "avi"]),
    ]
}

/// Checks an image like Firebase's Android code, which decodes the bytes and ignores the name (code).
enum AndroidImage {
    private static let maxSize = 1 << 20

    static func fault(of media: Media) -> String? {
        if media.size > maxSize { return "Content-Length exceeds max size of 1048576" }
        let isImage =
            media.contentType.lowercased().hasPrefix("image/") && !media.contentType.lowercased().contains("svg")
        return isImage && 200..<300 ~= media.status ? nil : "Failed to decode image"
    }
}
