/// The URL of an image, sound or video that a phone fetches for a notification.
package enum MediaURL {
    /// Why a phone can't use the URL.
    package enum Fault: Sendable, Equatable {
        case notAbsolute
        case noExtension
        case unknownExtension(String)
    }

    /// The file extensions of the types that notification attachments accept on iOS.
    package static let extensions: Set<String> = [
        "jpg", "jpeg", "gif", "png", "aif", "aiff", "wav", "mp3", "m4a", "mpg", "mpeg", "mp2", "mp4", "m4v", "avi",
    ]

    /// Why a phone can't use the URL. Nil for an absolute http or https URL whose path ends in one of those extensions.
    package static func fault(of text: String) -> Fault? {
        guard let path = parts(of: text)?.path else { return .notAbsolute }
        let segment = decoded(path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? [])
        guard let dot = segment.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return .noExtension }
        let name = String(decoding: segment[(dot + 1)...], as: UTF8.self).lowercased()
        if name.isEmpty { return .noExtension }
        return extensions.contains(name) ? nil : .unknownExtension(name)
    }

    /// Whether the URL is absolute and uses http.
    package static func isInClearText(_ text: String) -> Bool { parts(of: text)?.isSecure == false }

    /// Whether the URL is absolute, uses http, and its host is not this machine. On iOS, and on Android 9 and later, an
    /// app can fetch such a URL only if it declares an exception.
    package static func needsException(_ text: String) -> Bool {
        parts(of: text).map { !$0.isSecure && !$0.isLocal } ?? false
    }

    /// Whether the host is this machine.
    package static func isLocal(_ text: String) -> Bool { parts(of: text)?.isLocal ?? false }

    /// Where a request for a URL goes.
    package struct Endpoint: Sendable, Equatable {
        package let isSecure: Bool
        /// In lower case, and in brackets if it is an IPv6 address.
        package let host: String
        package let port: UInt16
        /// Whether the URL contains a user name.
        package let namesUser: Bool
    }

    /// Nil if the URL is not absolute, uses neither http nor https, or has no valid port.
    package static func endpoint(of text: String) -> Endpoint? {
        guard let parts = parts(of: text) else { return nil }
        let digits = parts.port.dropFirst()
        guard parts.port.isEmpty || parts.port.first == UInt8(ascii: ":"), digits.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        let usual = parts.isSecure ? "443" : "80"
        guard let port = UInt16(digits.isEmpty ? usual : String(decoding: digits, as: UTF8.self)), port > 0 else {
            return nil
        }
        return Endpoint(
            isSecure: parts.isSecure, host: String(decoding: parts.host, as: UTF8.self).lowercased(), port: port,
            namesUser: parts.namesUser)
    }

    private struct Parts {
        let isSecure: Bool
        let namesUser: Bool
        /// Without a user name and port.
        let host: ArraySlice<UInt8>
        /// The part between the host and the path: empty, or a colon and the port.
        let port: ArraySlice<UInt8>
        /// The part between the host and the query or fragment.
        let path: ArraySlice<UInt8>

        /// Whether the host is `localhost`, a name below it, or an address of this machine.
        var isLocal: Bool {
            var host = String(decoding: host, as: UTF8.self).lowercased()
            if host.hasPrefix("[") { return host == "[::1]" }
            if host.hasSuffix(".") { host.removeLast() }
            if host == "localhost" || host.hasSuffix(".localhost") || host == "0.0.0.0" { return true }
            let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
            return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
        }
    }

    /// Nil without an http or https scheme or without a host.
    private static func parts(of text: String) -> Parts? {
        let bytes = Array(text.utf8)
        guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return nil }
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else { return nil }
        let rest = bytes[scheme.utf8.count...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let host = rest.prefix { $0 != UInt8(ascii: "/") }
        // A user name and password may come before an `@`, and a port after a colon.
        let at = host.lastIndex(of: UInt8(ascii: "@"))
        let name = host[((at ?? host.startIndex - 1) + 1)...]
        guard let first = name.first, first != UInt8(ascii: ":") else { return nil }
        let end =
            first == UInt8(ascii: "[")
            ? name.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : name.firstIndex(of: UInt8(ascii: ":"))
        return Parts(
            isSecure: scheme == "https://", namesUser: at != nil, host: name[..<(end ?? name.endIndex)],
            port: name[(end ?? name.endIndex)...], path: rest[host.endIndex...])
    }

    /// Decodes percent-encoding. A percent sign without two digits after it stays as it is.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let digits = text[(index + 1)...].prefix(2)
            if text[index] == UInt8(ascii: "%"), digits.count == 2, let byte = Hex.decode(Array(digits).span)?.first {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }
}
