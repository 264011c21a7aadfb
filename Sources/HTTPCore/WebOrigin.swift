/// Where a web page comes from, as browsers write it in the field `origin`: scheme, host and port.
package struct WebOrigin: Sendable, Equatable, CustomStringConvertible {
    private let scheme: String
    /// The host, with the port unless that is the usual one of the scheme.
    private let authority: String

    package var description: String { "\(scheme)://\(authority)" }

    private static let usualPorts = ["http": "80", "https": "443", "ws": "80", "wss": "443"]

    /// Reads `scheme://host[:port]`; nil if it is malformed. The host is empty for the scheme `file` only. `null`, which
    /// browsers send for pages without an origin of their own, is not an origin.
    package init?(parsing text: String) {
        var text = text.lowercased()
        // Firefox itself, which is no page, sends the URL of its push service: ws://127.0.0.1:2197/.
        if text.hasPrefix("ws"), text.hasSuffix("/") { text.removeLast() }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let scheme = String(text[..<colon])
        guard scheme.utf8.first.map({ 0x61...0x7A ~= $0 }) == true,
            scheme.utf8.allSatisfy({ HostAndPort.isNameByte($0) || $0 == UInt8(ascii: "+") }),
            let site = HostAndPort(parsing: String(text[colon...].dropFirst(3))),
            site.host.isEmpty == (scheme == "file"),
            site.port.map({ UInt16($0) ?? 0 > 0 }) ?? true
        else { return nil }
        self.scheme = scheme
        let port = site.port == Self.usualPorts[scheme] ? nil : site.port
        authority = site.host + (port.map { ":\($0)" } ?? "")
    }

    /// Whether a gateway that is reached under this authority could have sent the page.
    package func isServed(by authority: String) -> Bool {
        Self.usualPorts[scheme] != nil && WebOrigin(parsing: "\(scheme)://\(authority)") == self
    }
}
