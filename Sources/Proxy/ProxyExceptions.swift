/// The hosts that are reached without a proxy, as `NO_PROXY` lists them.
///
/// There is no standard. This follows what most clients share: a name also means all hosts under it, with or without a
/// dot or `*.` in front; `*` means every host; a port limits an entry to that port. A range of addresses such as
/// `10.0.0.0/8` means nothing here.
struct ProxyExceptions: Equatable {
    private let entries: [Entry]

    private struct Entry: Equatable {
        /// In lower case, without a dot in front. Empty for every host.
        let name: String
        /// Nil for all ports.
        let port: UInt16?

        init?(_ text: Substring) {
            let word = text.lowercased()
            if word == "*" {
                (name, port) = ("", nil)
                return
            }
            let name: Substring
            if let target = try? RelayTarget(word) {
                (name, port) = (target.host[...], target.port)
            } else {
                (name, port) = (word[...], nil)
            }
            self.name = String(name.drop { $0 == "*" || $0 == "." })
            if self.name.isEmpty { return nil }
        }

        func contains(_ target: RelayTarget) -> Bool {
            if let port, port != target.port { return false }
            return name.isEmpty || target.host == name || target.host.hasSuffix("." + name)
                || target.host == "[\(name)]"
        }
    }

    init(_ list: String?) {
        entries = (list ?? "").split { $0 == "," || $0.isWhitespace }.compactMap(Entry.init)
    }

    func contains(_ target: RelayTarget) -> Bool { entries.contains { $0.contains(target) } }
}
