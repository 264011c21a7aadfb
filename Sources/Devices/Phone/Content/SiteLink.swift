/// The link of a web notification. Firebase's worker opens it only if its host is the host of the site
/// (docs/evidence/fcm.md §5.4, code).
enum SiteLink {
    /// The worker's path, which relative links are resolved against.
    private static let worker = "/firebase-messaging-sw.js"

    /// The absolute URL to open. Nil for a link to another host, and for one that is not an http or https URL.
    ///
    /// - Parameter site: the origin of the site. If it is not a URL, only relative links belong to it.
    static func url(of link: String, on site: String) -> String? {
        guard !link.isEmpty else { return nil }
        let origin = Origin(site)
        if let scheme = scheme(of: link) {
            guard ["http", "https"].contains(scheme), let target = Origin(link), target.host == origin?.host else {
                return nil
            }
            return link
        }
        let base = origin.map { "\($0.scheme)://\($0.host)" } ?? ""
        if link.hasPrefix("//") {
            guard let origin, Origin("\(origin.scheme):\(link)")?.host == origin.host else { return nil }
            return "\(origin.scheme):\(link)"
        }
        switch link.first {
        case "/": return base + link
        case "?", "#": return base + worker + link
        default: return "\(base)/\(link)"
        }
    }

    /// In lower case. Nil for a relative link.
    private static func scheme(of link: String) -> String? {
        guard let colon = link.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = link[..<colon].lowercased()
        guard let first = scheme.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first,
            scheme.utf8.allSatisfy({
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            })
        else { return nil }
        return scheme
    }

    /// The scheme and host of an absolute URL, in lower case. The host includes a port that is not the default.
    private struct Origin {
        let scheme: String
        let host: String

        init?(_ url: String) {
            let text = url.lowercased()
            guard
                let (scheme, port) = [("http", ":80"), ("https", ":443")].first(where: { text.hasPrefix($0.0 + "://") })
            else { return nil }
            let authority = text.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
            var host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            if host.hasSuffix(port) { host = host.dropLast(port.count) }
            guard !host.isEmpty else { return nil }
            (self.scheme, self.host) = (scheme, String(host))
        }
    }
}
