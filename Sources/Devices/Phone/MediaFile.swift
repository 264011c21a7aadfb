internal import PushCore

/// A fetched file as an attachment of a notification (facts/device.md §2.3(3) and §2.4, documented).
struct MediaFile {
    enum Fault { case type, size, content }

    /// The URL's last path component; its host where it has no path.
    private let last: Substring
    var name: String { String(last) }
    /// The path has a last component.
    let hasName: Bool

    init(_ url: String) {
        let rest = url.prefix { $0 != "?" && $0 != "#" }
        let path = rest.split(separator: "/", maxSplits: .max, omittingEmptySubsequences: true)
        let isAbsolute = rest.contains("://")
        hasName = path.count > (isAbsolute ? 2 : 0)
        last = path.last ?? ""
    }

    /// - Parameter guessesType: Firebase's helper takes the type from Content-Type where the name tells none.
    func fault(of media: Media, guessesType: Bool) -> Fault? {
        let type = media.contentType.lowercased().split(separator: ";").first.map(String.init) ?? ""
        var known = hasName ? last.lastIndex(of: ".").map { String(last[last.index(after: $0)...]).lowercased() } ?? "" : ""
        if known.isEmpty, guessesType, type.hasPrefix("image/") { known = String(type.dropFirst("image/".count)) }
        guard let limit = Self.limits[known] else { return .type }
        if media.size > limit { return .size }
        // The system looks into the file: a page in place of a picture is no picture, whatever its name.
        let family = type.split(separator: "/").first.map(String.init) ?? ""
        return ["", "application"].contains(family) || family == Self.family(of: known) ? nil : .content
    }

    private static func family(of known: String) -> String {
        ["jpg", "jpeg", "gif", "png"].contains(known) ? "image" : ["aif", "aiff", "wav", "mp3", "m4a"].contains(known) ? "audio" : "video"
    }

    private static let limits: [String: Int] = {
        var limits: [String: Int] = [:]
        for name in ["jpg", "jpeg", "gif", "png"] { limits[name] = 10_000_000 }
        for name in ["aif", "aiff", "wav", "mp3", "m4a"] { limits[name] = 5_000_000 }
        for name in ["mpg", "mpeg", "mp2", "mp4", "m4v", "avi"] { limits[name] = 50_000_000 }
        return limits
    }()
}

/// An image as Firebase's Android code takes it: by its octets, whatever its name (code).
enum AndroidImage {
    private static let largest = 1 << 20

    static func fault(of media: Media) -> String? {
        if media.size > largest { return "Content-Length exceeds max size of 1048576" }
        let isImage = media.contentType.lowercased().hasPrefix("image/") && !media.contentType.lowercased().contains("svg")
        return isImage && 200..<300 ~= media.status ? nil : "Failed to decode image"
    }
}
