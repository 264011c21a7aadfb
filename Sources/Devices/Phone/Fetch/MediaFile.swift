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
        let isAbsolute = rest.includes("://")
        hasName = path.count > (isAbsolute ? 2 : 0)
        name = path.last ?? ""
    }

    /// The text after the last dot of the name, in lower case; empty without a dot.
    fileprivate var nameExtension: String {
        hasName ? name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? "" : ""
    }

    /// How many bytes an attachment with this name may have. Without a known type in its name, the largest limit applies.
    var longest: Int {
        Self.kinds.first { $0.names.contains(nameExtension) }?.limit ?? Self.kinds.map(\.limit).max() ?? 0
    }

    /// - Parameter guessesType: take the type from Content-Type if the name has no extension, as Firebase's helper
    ///   does.
    func fault(of media: Media, guessesType: Bool) -> Fault? {
        let type = media.contentType.lowercased().split(separator: ";").first.map(String.init) ?? ""
        var known = nameExtension
        if known.isEmpty, guessesType, type.hasPrefix("image/") { known = String(type.dropFirst("image/".count)) }
        guard let kind = Self.kinds.first(where: { $0.names.contains(known) }) else { return .type }
        if media.size > kind.limit { return .size }
        // The system checks the content of the file: an HTML page named like an image is not accepted.
        if let format = media.format, format != .unknown || kind.family == .image {
            return format.families.contains(kind.family) ? nil : .content
        }
        let family = type.split(separator: "/").first.map(String.init) ?? ""
        return ["", "application", kind.family.rawValue].contains(family) ? nil : .content
    }

    private static let kinds: [(family: MediaFormat.Family, limit: Int, names: Set<String>)] = [
        (.image, 10_000_000, ["jpg", "jpeg", "gif", "png"]),
        (.audio, 5_000_000, ["aif", "aiff", "wav", "mp3", "m4a"]),
        (.video, 50_000_000, ["mpg", "mpeg", "mp2", "mp4", "m4v", "avi"]),
    ]
}

extension Media {
    private static let usualTypes = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "mp3": "audio/mpeg", "wav": "audio/wav", "mp4": "video/mp4",
    ]

    package static let unknownType = "application/octet-stream"

    /// The content type that web servers send for a file with this name.
    package static func usualType(of url: String) -> String {
        usualTypes[MediaFile(url).nameExtension] ?? unknownType
    }
}

/// Checks an image like Firebase's Android code, which decodes the bytes and ignores the name (code).
enum AndroidImage {
    static let longest = 1 << 20
    /// The time in milliseconds that Firebase's Android code gives an image.
    static let patience: Int64 = 5000

    /// Why the image is not shown, in the words of Firebase's log; nil if it is shown.
    static func fault(of media: Media) -> String? {
        if media.size > longest {
            return media.announcesSize
                ? "Content-Length exceeds max size of 1048576" : "Image exceeds max size of 1048576"
        }
        guard 200..<300 ~= media.status else { return "Failed to download image: the status is \(media.status)" }
        let type = media.contentType.lowercased()
        let isImage =
            media.format.map { $0.families == [.image] } ?? (type.hasPrefix("image/") && !type.includes("svg"))
        return isImage ? nil : "Failed to decode image"
    }
}
