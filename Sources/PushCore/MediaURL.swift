/// The address of a picture, sound or film that a phone is to fetch for a notification.
package enum MediaURL {
    /// Why a phone could do nothing with it.
    package enum Fault: Sendable, Equatable {
        case notAbsolute
        case noExtension
        case unknownExtension(String)
    }

    /// The types Apple's attachments take.
    package static let extensions: Set<String> = [
        "jpg", "jpeg", "gif", "png", "aif", "aiff", "wav", "mp3", "m4a", "mpg", "mpeg", "mp2", "mp4", "m4v", "avi",
    ]

    /// Nil for an absolute http(s) URL whose path ends in one of those.
    package static func fault(of text: String) -> Fault? {
        guard let path = path(of: text) else { return .notAbsolute }
        let segment = decoded(path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? [])
        guard let dot = segment.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return .noExtension }
        let name = String(decoding: segment[(dot + 1)...], as: UTF8.self).lowercased()
        if name.isEmpty { return .noExtension }
        return extensions.contains(name) ? nil : .unknownExtension(name)
    }

    /// What lies between the host and the query or fragment; nil where there is no http(s) scheme or no host.
    private static func path(of text: String) -> ArraySlice<UInt8>? {
        let bytes = Array(text.utf8)
        guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return nil }
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else { return nil }
        let rest = bytes[scheme.utf8.count...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let host = rest.prefix { $0 != UInt8(ascii: "/") }
        // What stands before an `@` is a name and a password, and after a colon a port.
        let name = host[((host.lastIndex(of: UInt8(ascii: "@")) ?? host.startIndex - 1) + 1)...]
        guard let first = name.first, first != UInt8(ascii: ":") else { return nil }
        return rest[host.endIndex...]
    }

    /// Without percent signs; one that no two digits follow stays.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let digits = text[(index + 1)...].prefix(2)
            if text[index] == UInt8(ascii: "%"), digits.count == 2, let octet = Hex.decode(Array(digits).span)?.first {
                bytes.append(octet)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }
}
