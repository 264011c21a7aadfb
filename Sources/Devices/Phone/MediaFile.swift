internal import PushCore

/// A fetched file as an attachment of a notification (facts/device.md §2.3(3) and §2.4, documented).
struct MediaFile {
    enum Fault { case type, size, content }

    /// The URL's last path component; its host where it has no path.
    let name: Substring
    /// The path has a last component.
    let hasName: Bool

    init(_ url: String) {
        let rest = url.prefix { $0 != "?" && $0 != "#" }
        let path = rest.split(separator: "/", maxSplits: .max, omittingEmptySubsequences: true)
        let isAbsolute = rest.contains("://")
        hasName = path.count > (isAbsolute ? 2 : 0)
        name = path.last ?? ""
    }

    /// - Parameter guessesType: Firebase's helper takes the type from Content-Type where the name tells none.
    func fault(of media: Media, guessesType: Bool) -> Fault? {
        let type = media.contentType.lowercased().split(separator: ";").first.map(String.init) ?? ""
        var known =
            hasName ? name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? "" : ""
        if known.isEmpty, guessesType, type.hasPrefix("image/") { known = String(type.dropFirst("image/".count)) }
        guard let kind = Self.kinds.first(where: { $0.names.contains(known) }) else { return .type }
        if media.size > kind.limit { return .size }
        // The system looks into the file: a page in place of a picture is no picture, whatever its name.
        let family = type.split(separator: "/").first.map(String.init) ?? ""
        return ["", "application", kind.family].contains(family) ? nil : .content
    }

    private static let kinds: [(family: String, limit: Int, names: Set<String>)] = [
        ("image", 10_000_000, ["jpg", "jpeg", "gif", "png"]),
        ("audio", 5_000_000, ["aif", "aiff", "wav", "mp3", "m4a"]),
        ("video", 50_000_000, ["mpg", "mpeg", "mp2", "mp4", "m4v", "avi"]),
    ]
}

/// An image as Firebase's Android code takes it: by its octets, whatever its name (code).
enum AndroidImage {
    private static let largest = 1 << 20

    static func fault(of media: Media) -> String? {
        if media.size > largest { return "Content-Length exceeds max size of 1048576" }
        let isImage =
            media.contentType.lowercased().hasPrefix("image/") && !media.contentType.lowercased().contains("svg")
        return isImage && 200..<300 ~= media.status ? nil : "Failed to decode image"
    }
}
