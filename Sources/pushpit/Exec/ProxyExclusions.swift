internal import PushCore

/// The hosts that clients reach without a proxy, as `NO_PROXY` lists them.
enum ProxyExclusions {
    static let names = ["NO_PROXY", "no_proxy"]
    /// The gateway's own addresses. A proxy would look for them on its own machine.
    private static let ours = ["localhost", "127.0.0.1", "::1"]
    private static let pushHosts = Vendor.hosts
    private static let everyHost = "*"

    /// A list that has all push hosts, so no proxy gets their connections.
    static func addingPushHosts(to list: String?) -> String {
        let entries = entries(list)
        if entries == [everyHost] { return everyHost }
        let missing = (ours + pushHosts).filter { !entries.contains($0) }
        return (entries + missing).joined(separator: ",")
    }

    /// A list without the entries that would keep a push host from the proxy.
    static func removingPushHosts(from list: String?) -> String {
        let kept = entries(list).filter { entry in
            !pushHosts.contains { excludes(entry, $0) }
        }
        return (kept + ours.filter { !kept.contains($0) }).joined(separator: ",")
    }

    private static func entries(_ list: String?) -> [String] {
        (list ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// Whether the entry names the host or a domain that it is in. Most clients treat `example.com`, `.example.com` and
    /// `*.example.com` alike, and some allow a port.
    private static func excludes(_ entry: String, _ host: String) -> Bool {
        if entry == everyHost { return true }
        let name = entry.lowercased().prefix { $0 != ":" }.drop { $0 == "*" || $0 == "." }
        return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
}
