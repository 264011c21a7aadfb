/// The parts of an authority, such as `localhost:2197` or `[::1]`, in lower case.
package struct HostAndPort {
    /// A name or an address; an IPv6 address keeps its brackets.
    package let host: String
    /// The digits after the colon; nil without a colon.
    package let port: String?

    /// Nil if the text is malformed, for example `localhost:80@evil.example`. The host may be empty.
    package init?(parsing text: String) {
        let text = text.lowercased()
        let isV6 = text.hasPrefix("[")
        let end = isV6 ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
        host = String(text[..<(end ?? text.endIndex)])
        let rest = text[(end ?? text.endIndex)...]
        port = rest.isEmpty ? nil : String(rest.dropFirst())
        let name = isV6 ? host.dropFirst().dropLast() : host[...]
        guard name.utf8.allSatisfy({ Self.isNameByte($0) || isV6 && $0 == UInt8(ascii: ":") }),
            !isV6 || end != nil && !name.isEmpty,
            rest.isEmpty || rest.first == ":" && rest.dropFirst().utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
    }

    /// Whether a host name or a scheme in lower case may contain this byte.
    package static func isNameByte(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte || "-._".utf8.contains(byte)
    }
}
