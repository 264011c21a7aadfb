internal import CUV

/// An IPv4 or IPv6 address with a port, as text: `127.0.0.1:2197`, `[::1]:2197`.
package struct SocketAddress: Sendable, Equatable, CustomStringConvertible {
    package var host: String
    package var port: UInt16
    /// The name that was looked up to find the host; nil if the address was given.
    package var name: String?

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `HOST:PORT`, with IPv6 hosts in brackets; nil if it is malformed. The host must be an address or
    /// `localhost`, because names are not resolved.
    package init?(parsing text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(digits) else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        self.init(host: host == "localhost" ? "127.0.0.1" : host, port: port)
        guard (try? unsafe withRaw { _ throws(LoopError) in true }) == true else { return nil }
    }

    package var description: String { name.map { "\($0):\(port)" } ?? numeric }

    /// Without the name.
    package var numeric: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The 4 or 16 bytes of the address.
    package var bytes: [UInt8] {
        let bytes = try? unsafe withRaw { raw throws(LoopError) in
            let start = unsafe UnsafeRawPointer(raw)
            return host.contains(":")
                ? unsafe withUnsafeBytes(of: start.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { unsafe Array($0) }
                : unsafe withUnsafeBytes(of: start.loadUnaligned(as: sockaddr_in.self).sin_addr) { unsafe Array($0) }
        }
        return bytes ?? []
    }

    package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Calls `body` with a pointer to the address as a C structure.
    func withRaw<R>(_ body: (UnsafePointer<sockaddr>) throws(LoopError) -> R) throws(LoopError) -> R {
        var storage = sockaddr_storage()
        let subject = description
        return try unsafe withUnsafeMutablePointer(to: &storage) { pointer throws(LoopError) -> R in
            let raw = UnsafeMutableRawPointer(pointer)
            let code =
                if host.contains(":") {
                    unsafe uv_ip6_addr(host, Int32(port), raw.assumingMemoryBound(to: sockaddr_in6.self))
                } else {
                    unsafe uv_ip4_addr(host, Int32(port), raw.assumingMemoryBound(to: sockaddr_in.self))
                }
            try check(code, "use the address", subject)
            return try unsafe body(raw.assumingMemoryBound(to: sockaddr.self))
        }
    }

    /// Reads an address from a C structure.
    init(raw storage: sockaddr_storage) {
        var storage = storage
        var text = [CChar](repeating: 0, count: 64)
        let isV6 = storage.ss_family == sa_family_t(AF_INET6)
        port = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            let raw = UnsafeMutableRawPointer(pointer)
            if isV6 {
                let v6 = unsafe raw.assumingMemoryBound(to: sockaddr_in6.self)
                _ = unsafe uv_ip6_name(v6, &text, text.count)
                return UInt16(bigEndian: unsafe v6.pointee.sin6_port)
            }
            let v4 = unsafe raw.assumingMemoryBound(to: sockaddr_in.self)
            _ = unsafe uv_ip4_name(v4, &text, text.count)
            return UInt16(bigEndian: unsafe v4.pointee.sin_port)
        }
        host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
