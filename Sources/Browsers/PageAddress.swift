package import HTTPCore
internal import PushCore

/// The URL of a page, and the origin that gets the permission for notifications.
package struct PageAddress: Equatable, Sendable {
    package let url: String
    /// Scheme, host and port, without the scheme's usual port.
    package let origin: WebOrigin

    private static let longest = 8192

    /// Why a text is no such URL, as the end of a sentence that begins with the text.
    package struct Problem: Error, Equatable {
        package let reason: String
    }

    package init(_ text: String) throws(Problem) {
        let isPlain = text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        guard let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix) else {
            throw Problem(reason: "must begin with http:// or https://, like http://localhost:3000")
        }
        guard isPlain, text.utf8.count <= Self.longest else {
            throw Problem(
                reason:
                    "must be at most \(Self.longest) letters, digits and signs of ASCII, without spaces: write other "
                    + "characters of a path as %xx, and of a host as xn--")
        }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        guard !authority.isEmpty, let origin = WebOrigin(parsing: "\(scheme)\(authority)") else {
            throw Problem(reason: "must have a host and, if needed, a port, like http://localhost:3000")
        }
        (url, self.origin) = (text, origin)
    }

    /// Whether browsers give pages at this address service workers and so pushes: with https, or on this machine.
    package var isSecure: Bool {
        let parts = origin.description.pieces(separatedBy: "://", maxSplits: 1)
        let host = parts.last?.prefix { $0 != ":" } ?? ""
        return parts.first == "https" || host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
            || parts.last?.hasPrefix("[::1]") == true
    }
}
